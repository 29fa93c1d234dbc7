/** What hosts need so that a file of the package is found: `orElse` behind the copy of esbuild, and what a policy has to allow. */
export function remedies(orElse: string, allowed: string): string {
  return (
    'Vite 5 to 7 in dev: add `optimizeDeps: { exclude: ["threadfold"] }`. ' +
    `esbuild: copy the file next to the bundle${orElse}. ` +
    'Next.js on the server: add `serverExternalPackages: ["threadfold"]`. ' +
    `Under a Content-Security-Policy: allow ${allowed}.`
  );
}
