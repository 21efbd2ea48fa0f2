/** Compiles the script of the page /certificates into a text, because the page is served as one file. */
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { writeGenerated } from './write-generated.ts'

const root = resolve(import.meta.dirname, '../..')
const path = 'internal/http/pages/certificates-script.ts'

const result = await build({
  entryPoints: [join(root, path)],
  bundle: true,
  minify: true,
  format: 'iife',
  charset: 'utf8',
  platform: 'browser',
  target: 'es2020',
  write: false,
  legalComments: 'none',
})
const [output] = result.outputFiles
if (output === undefined) throw new Error(`esbuild made nothing of ${path}.`)
// a closing tag in the text would end the script element of the page
if (/<\/script|<!--/i.test(output.text))
  throw new Error('The script contains text that would end its script element.')

writeGenerated(
  join(root, 'internal', 'http', 'pages', 'certificates-script.gen.ts'),
  `// Made by \`make generate\` from ${path}. Do not edit.
export const CERTIFICATES_SCRIPT = ${JSON.stringify(output.text)}
`,
)
