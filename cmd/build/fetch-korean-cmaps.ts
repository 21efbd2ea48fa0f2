/**
 * Writes internal/pdf/korean-cmaps.gen.ts from the version of pdf.js in unpdf.
 * Run `node cmd/build/fetch-korean-cmaps.ts` after an upgrade of unpdf. The package of pdf.js has 40 MB, of which svc
 * needs only these tables, so it is fetched here and not a dependency.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { z } from 'zod'
import { writeGenerated } from './write-generated.ts'

const root = resolve(import.meta.dirname, '../..')
const KOREAN = /^(?:Adobe-Korea1-|KSC|UniKS-).*\.bcmap$/

const { devDependencies } = z
  .object({ devDependencies: z.object({ 'pdfjs-dist': z.string() }) })
  .parse(JSON.parse(readFileSync(join(root, 'node_modules/unpdf/package.json'), 'utf8')))
const version = devDependencies['pdfjs-dist'].replace(/^[~^]/, '')

const folder = mkdtempSync(join(tmpdir(), 'svc-cmaps-'))
try {
  execFileSync('npm', ['pack', '--silent', `pdfjs-dist@${version}`], { cwd: folder })
  execFileSync('tar', ['-xzf', `pdfjs-dist-${version}.tgz`, 'package/cmaps'], { cwd: folder })
  const cmaps = join(folder, 'package/cmaps')
  const tables = readdirSync(cmaps)
    .filter((name) => KOREAN.test(name))
    .toSorted()
    .map((name) => {
      const packed = brotliCompressSync(readFileSync(join(cmaps, name))).toString('base64')
      return `  '${name.replace('.bcmap', '')}': '${packed}',\n`
    })
  writeGenerated(
    join(root, 'internal/pdf/korean-cmaps.gen.ts'),
    `// Made by cmd/build/fetch-korean-cmaps.ts from pdf.js. Copyright Adobe Systems, BSD 3-Clause. Do not edit.
export const KOREAN_CMAPS_OF = '${version}'
/** Brotli, base64. */
export const KOREAN_CMAPS: Readonly<Record<string, string>> = {
${tables.join('')}}
`,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
