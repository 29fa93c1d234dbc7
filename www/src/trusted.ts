// The page demands Trusted Types: a string becomes the address of a script here and nowhere else.

interface Policy {
  createScriptURL(address: string): string;
}

const types = (globalThis as { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } }).trustedTypes;
const rules: Policy = { createScriptURL: sameOrigin };
const policy = types?.createPolicy("threadfold", rules) ?? rules;

/** The address of a script of this page, as the browser wants it. Throws for one of another origin. */
export function scriptAddress(address: string | URL): string {
  return policy.createScriptURL(String(address));
}

function sameOrigin(address: string): string {
  const { origin } = new URL(address, location.href);
  if (origin !== location.origin) throw new TypeError(`${address}: a script of another origin`);
  return address;
}
