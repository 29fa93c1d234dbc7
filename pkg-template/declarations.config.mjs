// Bundles the facade's types into one file, which the other declarations then re-export: a class must
// have one declaration, or a program that mixes `import` and `require` sees two incompatible types.
import { fileURLToPath } from "node:url";
import { dts } from "rollup-plugin-dts";

/** Files whose types are in the first bundle. */
const bundled = ["index", "store"].map((name) => fileURLToPath(new URL(`src/${name}.ts`, import.meta.url)));

export default [
  {
    input: "pkg-template/src/index.ts",
    output: { file: "pkg/dist/threadfold.d.cts", format: "es" },
    plugins: [dts({ tsconfig: "pkg-template/tsconfig.json" })],
  },
  {
    input: "pkg-template/src/entries/node.ts",
    external: bundled,
    output: { file: "pkg/dist/node.d.cts", format: "es", paths: Object.fromEntries(bundled.map((file) => [file, "./threadfold.cjs"])) },
    plugins: [dts({ tsconfig: "pkg-template/tsconfig.node.json" })],
  },
];
