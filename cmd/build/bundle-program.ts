/** Bundles a program into one CommonJS text, the form that a single executable application takes. */
import { type BuildOptions, build } from 'esbuild'
import { staticNatives } from './static-natives.ts'

/** Libraries ask for their own address only to find files that the binary does not have. */
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
  // names stay: they are in stack traces
  minifyIdentifiers: false,
  keepNames: false,
  legalComments: 'none',
  logLevel: 'warning',
  // esbuild looks for its own file only when its executable is not named
  logOverride: { 'require-resolve-not-external': 'silent' },
  // optional speed-ups of ws that have native parts; it does without them
  external: ['bufferutil', 'utf-8-validate'],
}

export const bundleProgram = async (entry: string, outfile: string): Promise<void> => {
  await build({ ...OPTIONS, entryPoints: [entry], outfile })
}
