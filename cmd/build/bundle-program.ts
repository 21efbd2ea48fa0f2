/** Bundles a program into one CommonJS text, as a single executable application requires. */
import { type BuildOptions, build } from 'esbuild'
import { staticNatives } from './static-natives.ts'

/** Replaces import.meta.url, which libraries use only to find files that the binary does not have. */
const BANNER = "const __importMetaUrl = require('node:url').pathToFileURL(process.execPath).href;"

const OPTIONS: BuildOptions = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node24',
  conditions: ['svc-binary'],
  banner: { js: BANNER },
  define: { 'import.meta.url': '__importMetaUrl' },
  plugins: [staticNatives],
  minifySyntax: true,
  minifyWhitespace: true,
  // names are kept for stack traces
  minifyIdentifiers: false,
  keepNames: false,
  legalComments: 'none',
  logLevel: 'warning',
  // esbuild resolves its own file only when the path of its executable is not set
  logOverride: { 'require-resolve-not-external': 'silent' },
  // optional native modules of ws
  external: ['bufferutil', 'utf-8-validate'],
}

/** Bundles one entry. @param outfile path of the bundle */
export const bundleProgram = async (entry: string, outfile: string): Promise<void> => {
  await build({ ...OPTIONS, entryPoints: [entry], outfile })
}
