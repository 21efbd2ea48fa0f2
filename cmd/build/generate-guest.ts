/** Compiles internal/sandbox/guest.ts into a text, so that the binary carries the guest program. */
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { writeGenerated } from './write-generated.ts'

const sandbox = resolve(import.meta.dirname, '../../internal/sandbox')

const result = await build({
  entryPoints: [join(sandbox, 'guest.ts')],
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  target: 'es2023',
  write: false,
  legalComments: 'none',
})
const [output] = result.outputFiles
if (output === undefined) throw new Error('esbuild made no guest.')

writeGenerated(
  join(sandbox, 'guest.gen.ts'),
  `// Made by \`make generate\` from guest.ts. Do not edit.
export const GUEST_SOURCE = ${JSON.stringify(output.text)}
`,
)
