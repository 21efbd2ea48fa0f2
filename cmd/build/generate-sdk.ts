/** Compiles modules that are bundled with apps into texts: `@svc/sdk`, its client, and the function runtime. */
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { writeGenerated } from './write-generated.ts'

const root = resolve(import.meta.dirname, '../..')

const compile = async (path: string): Promise<string> => {
  const result = await build({
    entryPoints: [join(root, path)],
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    external: ['node:*'],
    target: 'es2023',
    write: false,
    legalComments: 'none',
  })
  const [output] = result.outputFiles
  if (output === undefined) throw new Error(`esbuild made nothing of ${path}.`)
  return output.text
}

const generate = async (path: string, file: string, name: string): Promise<void> =>
  writeGenerated(
    join(root, 'internal', 'bundle', file),
    `// Made by \`make generate\` from ${path}. Do not edit.
export const ${name} = ${JSON.stringify(await compile(path))}
`,
  )

await generate('sdk/mod.ts', 'sdk.gen.ts', 'SDK_SOURCE')
await generate('sdk/client.ts', 'sdk-client.gen.ts', 'SDK_CLIENT_SOURCE')
await generate(
  'internal/bundle/function-runtime.ts',
  'function-runtime.gen.ts',
  'FUNCTION_RUNTIME_SOURCE',
)
