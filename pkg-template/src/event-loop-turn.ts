/**
 * Lets other work have its turn: what waits for timers, input or a network. Unlike a timer it is not
 * slowed down in a page that is out of sight.
 */
export function eventLoopTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof MessageChannel !== "function") {
      setTimeout(resolve, 0);
      return;
    }
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      // An open port would keep a process alive.
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
