/** Compiles the guest programs of internal/sandbox into texts, so that the binary contains them. */
import { join, resolve } from 'node:path'
import { buildSync } from 'esbuild'
import { writeGenerated } from './write-generated.ts'

const guest = resolve(import.meta.dirname, '../../internal/sandbox/guest')

const compile = (file: string): string => {
  const { outputFiles } = buildSync({
    entryPoints: [join(guest, file)],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    target: 'es2023',
    external: ['node:*'],
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
  })
  const [output] = outputFiles
  if (output === undefined) throw new Error(`esbuild made no guest of ${file}.`)
  return output.text
}

writeGenerated(
  join(guest, 'compiled.gen.ts'),
  `// Made by \`make generate\` from main-deno.ts and main-node.ts. Do not edit.
export const DENO_GUEST_SOURCE: string = ${JSON.stringify(compile('main-deno.ts'))}
export const NODE_GUEST_SOURCE: string = ${JSON.stringify(compile('main-node.ts'))}
`,
)
