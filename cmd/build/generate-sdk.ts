/** Compiles sdk/mod.ts into a text: `@svc/sdk` is there at every deploy without a registry. */
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { writeGenerated } from './write-generated.ts'

const root = resolve(import.meta.dirname, '../..')

const result = await build({
  entryPoints: [join(root, 'sdk', 'mod.ts')],
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  target: 'es2023',
  write: false,
  legalComments: 'none',
})
const [output] = result.outputFiles
if (output === undefined) throw new Error('esbuild made no SDK.')

writeGenerated(
  join(root, 'internal', 'bundle', 'sdk.gen.ts'),
  `// Made by \`make generate\` from sdk/mod.ts. Do not edit.
export const SDK_SOURCE = ${JSON.stringify(output.text)}
`,
)
