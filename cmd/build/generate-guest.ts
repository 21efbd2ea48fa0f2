/** Compiles the guest programs of internal/sandbox into texts, so that the binary contains them. */
import { join, resolve } from 'node:path'
import { compileText } from './compile-text.ts'
import { writeGenerated } from './write-generated.ts'

const guest = resolve(import.meta.dirname, '../../internal/sandbox/guest')

const [deno, node] = await Promise.all([
  compileText('internal/sandbox/guest/main-deno.ts'),
  compileText('internal/sandbox/guest/main-node.ts'),
])

writeGenerated(
  join(guest, 'compiled.gen.ts'),
  `// Made by \`make generate\` from main-deno.ts and main-node.ts. Do not edit.
export const DENO_GUEST_SOURCE: string = ${JSON.stringify(deno)}
export const NODE_GUEST_SOURCE: string = ${JSON.stringify(node)}
`,
)
