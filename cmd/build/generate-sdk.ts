/** Compiles modules that are bundled with apps into texts: `@svc/sdk`, its client, and the function runtime. */
import { join } from 'node:path'
import { ROOT } from '../root.ts'
import { compileText, type TextEntry } from './compile-text.ts'
import { writeGenerated } from './write-generated.ts'

const generate = async (path: TextEntry, file: string, name: string): Promise<void> =>
  writeGenerated(
    join(ROOT, 'internal', 'bundle', file),
    `// Made by \`make generate\` from ${path}. Do not edit.
export const ${name} = ${JSON.stringify(await compileText(path))}
`,
  )

await generate('sdk/mod.ts', 'sdk.gen.ts', 'SDK_SOURCE')
await generate('sdk/client.ts', 'sdk-client.gen.ts', 'SDK_CLIENT_SOURCE')
await generate(
  'internal/bundle/function-runtime.ts',
  'function-runtime.gen.ts',
  'FUNCTION_RUNTIME_SOURCE',
)
