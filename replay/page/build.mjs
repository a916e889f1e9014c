// Bundles the sources into verifier.js and page.js, which are committed and shipped.
//
//   npm ci && npm run build
//
// Each begins with a hash of the sources, so that a stale one is found without building.
//
// With --check nothing is written; the exit code is 1 where a bundle is not that of its sources.

import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const check = process.argv.includes("--check");
let stale = 0;

const sources = createHash("sha256");
for (const name of [
  "build.mjs",
  "package-lock.json",
  ...readdirSync(here("src"), { recursive: true })
    .filter((file) => file.endsWith(".js"))
    .sort()
    .map((file) => `src/${file}`),
])
  sources.update(`${name}\n`).update(readFileSync(here(name)));
const banner = { js: `/* sources ${sources.digest("hex")} */` };

for (const name of ["verifier", "page"]) {
  const bundled = await build({
    entryPoints: [here(`src/${name}.js`)],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2022",
    charset: "ascii",
    legalComments: "none",
    banner,
    absWorkingDir: here("."),
  });
  const text = bundled.outputFiles[0].text;
  if (/<\/script|<!--/i.test(text)) throw new Error(`${name}: cannot stand in a script element`);
  const file = here(`${name}.js`);
  if (!check) writeFileSync(file, text);
  else if (readFileSync(file, "utf8") !== text) {
    console.error(
      `${name}.js is not what its sources give: run "npm ci && npm run build" in replay/page`,
    );
    stale = 1;
  }
}
process.exit(stale);
