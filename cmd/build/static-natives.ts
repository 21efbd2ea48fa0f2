/**
 * Makes the two packages that look for a file of theirs at run time take it from the binary's assets instead. Each patch
 * fails the build when the package no longer reads as it did.
 */
import { readFileSync } from 'node:fs'
import type { Plugin } from 'esbuild'

const CARRIED = '#platform/carried.ts'

type Patch = Readonly<{
  file: RegExp
  find: string | RegExp
  replaceBy: string
}>

const PATCHES: readonly Patch[] = [
  {
    // libsql requires a package whose name it puts together at run time
    file: /node_modules\/libsql\/index\.js$/,
    find: /const \{ load, currentTarget \} = require\("@neon-rs\/load"\);[\s\S]*?\n\}\n/,
    replaceBy: `const requireNative = () => {
  const native = { exports: {} };
  process.dlopen(native, require("${CARRIED}").unpackCarried("libsql.node"));
  return native.exports;
};
`,
  },
  {
    // esbuild starts its executable, which it looks for beside its own file
    file: /node_modules\/esbuild\/lib\/main\.js$/,
    find: 'process.env.ESBUILD_BINARY_PATH || ESBUILD_BINARY_PATH',
    replaceBy: `process.env.ESBUILD_BINARY_PATH || require("${CARRIED}").unpackCarried("esbuild")`,
  },
]

const apply = ({ find, replaceBy }: Patch, path: string): string => {
  const source = readFileSync(path, 'utf8')
  const patched = source.replace(find, () => replaceBy)
  if (patched === source)
    throw new Error(`${path} has changed: mend its patch in cmd/build/static-natives.ts.`)
  return patched
}

export const staticNatives: Plugin = {
  name: 'static-natives',
  setup: (build) => {
    for (const patch of PATCHES) {
      build.onLoad({ filter: patch.file }, ({ path }) => ({
        contents: apply(patch, path),
        loader: 'js',
      }))
    }
    // the patched packages ask for our module; only our own package.json knows that name
    build.onResolve({ filter: /^#platform\// }, ({ path, importer, pluginData }) =>
      importer.includes('node_modules') && pluginData !== 'again'
        ? build.resolve(path, {
            kind: 'require-call',
            resolveDir: import.meta.dirname,
            pluginData: 'again',
          })
        : undefined,
    )
  },
}
