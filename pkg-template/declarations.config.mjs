// Bundles the facade's types into one file, which the ESM declarations then re-export: a class must
// have one declaration, or a program that mixes `import` and `require` sees two incompatible types.
import { dts } from "rollup-plugin-dts";

export default {
  input: "pkg-template/src/index.ts",
  output: { file: "pkg/dist/threadfold.d.cts", format: "es" },
  plugins: [dts({ tsconfig: "pkg-template/tsconfig.json" })],
};
