/** Compiles scripts and styles of pages that are served as a single file: /certificates and /api/docs. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { writeGenerated } from './write-generated.ts'

const root = resolve(import.meta.dirname, '../..')

/** @returns the text of a script or style for browsers of these targets */
const compile = async (path: string, target: string | string[]): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [join(root, path)],
    bundle: true,
    minify: true,
    format: 'iife',
    charset: 'utf8',
    platform: 'browser',
    target,
    write: false,
    legalComments: 'none',
  })
  const [output] = outputFiles
  if (output === undefined) throw new Error(`esbuild made nothing of ${path}.`)
  // a closing tag in the text would end its element in the page
  if (/<\/(script|style)|<!--/i.test(output.text)) {
    throw new Error(`${path} contains text that would end its element.`)
  }
  return output.text
}

const constant = (name: string, text: string): string =>
  `export const ${name} = ${JSON.stringify(text)}\n`

const certificates = 'internal/http/pages/certificates-script.ts'
writeGenerated(
  join(root, 'internal/http/pages/certificates-script.gen.ts'),
  `// Made by \`make generate\` from ${certificates}. Do not edit.
${constant('CERTIFICATES_SCRIPT', await compile(certificates, 'es2020'))}`,
)

/** The browsers that the console and the guides support. */
const BROWSERS = ['chrome120', 'firefox121', 'safari17']

writeGenerated(
  join(root, 'internal/http/reference/script.gen.ts'),
  `// Made by \`make generate\` from web/reference and web/public/theme.js. Do not edit.
${constant('REFERENCE_SCRIPT', await compile('web/reference/reference.ts', BROWSERS))}
${constant('REFERENCE_STYLE', await compile('web/reference/reference.css', BROWSERS))}
${constant('THEME_SCRIPT', readFileSync(join(root, 'web/public/theme.js'), 'utf8'))}`,
)
