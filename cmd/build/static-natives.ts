/**
 * Patches two packages that look for one of their own files at run time, so that they take it from the binary's assets. A
 * patch fails the build if the package's source has changed.
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
    // libsql requires a package whose name it computes at run time
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
    // esbuild starts its executable, which it looks for next to its own file
    file: /node_modules\/esbuild\/lib\/main\.js$/,
    find: 'process.env.ESBUILD_BINARY_PATH || ESBUILD_BINARY_PATH',
    replaceBy: `process.env.ESBUILD_BINARY_PATH || require("${CARRIED}").unpackCarried("esbuild")`,
  },
]

const apply = ({ find, replaceBy }: Patch, path: string): string => {
  const source = readFileSync(path, 'utf8')
  const patched = source.replace(find, () => replaceBy)
  if (patched === source)
    throw new Error(`${path} has changed. Update its patch in cmd/build/static-natives.ts.`)
  return patched
}

/** The esbuild plugin that applies the patches. */
export const staticNatives: Plugin = {
  name: 'static-natives',
  setup: (build) => {
    for (const patch of PATCHES) {
      build.onLoad({ filter: patch.file }, ({ path }) => ({
        contents: apply(patch, path),
        loader: 'js',
      }))
    }
    // a patched package imports our module, whose specifier only our own package.json can resolve
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
