/** Compiles scripts and styles of pages that are served as a single file: /certificates and /api/docs. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../root.ts'
import { compileText, type TextEntry } from './compile-text.ts'
import { writeGenerated } from './write-generated.ts'

/** @returns the text of a script or style */
const compile = async (path: TextEntry): Promise<string> => {
  const text = await compileText(path)
  // a closing tag in the text would end its element in the page
  if (/<\/(script|style)|<!--/i.test(text)) {
    throw new Error(`${path} contains text that would end its element.`)
  }
  return text
}

const constant = (name: string, text: string): string =>
  `export const ${name} = ${JSON.stringify(text)}\n`

const certificates = 'internal/http/pages/certificates-script.ts'
writeGenerated(
  join(ROOT, 'internal/http/pages/certificates-script.gen.ts'),
  `// Made by \`make generate\` from ${certificates}. Do not edit.
${constant('CERTIFICATES_SCRIPT', await compile(certificates))}`,
)

writeGenerated(
  join(ROOT, 'internal/http/reference/script.gen.ts'),
  `// Made by \`make generate\` from web/reference and web/public/theme.js. Do not edit.
${constant('REFERENCE_SCRIPT', await compile('web/reference/reference.ts'))}
${constant('REFERENCE_STYLE', await compile('web/reference/reference.css'))}
${constant('THEME_SCRIPT', readFileSync(join(ROOT, 'web/public/theme.js'), 'utf8'))}`,
)
