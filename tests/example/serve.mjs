// The local provider with its scripted model, for a try by hand: prints how to call the example on it, and
// answers until it is stopped.

import { PROTOCOLS, startStory, WINDOW } from "./setting.mjs";

const { baseURL } = await startStory();
console.log("In another terminal, in examples/node-agent, one of these:");
for (const protocol of PROTOCOLS) {
  const call = `node main.mjs --provider ${protocol} --model m --window ${WINDOW} --max-output 2000 --base-url ${baseURL[protocol]}`;
  console.log(`  ${protocol.toUpperCase()}_API_KEY=none ${call}`);
}
console.log('The model knows one story. Tell it "Turn 1: go", then "Turn 2: go", and so on.');
