/**
 * Writes internal/pdf/korean-cmaps.gen.ts, internal/pdf/image-programs.gen.ts and their licences from the version of pdf.js in unpdf.
 * Run `node cmd/build/fetch-pdfjs.ts` after an upgrade of unpdf. The package of pdf.js has 40 MB, of which svc
 * needs only these tables and programs, so it is fetched here and not a dependency.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { z } from 'zod'
import { ROOT } from '../root.ts'
import { writeGenerated } from './write-generated.ts'

const KOREAN = /^(?:Adobe-Korea1-|KSC|UniKS-).*\.bcmap$/
/** The programs that decode images, by the function of pdf.js that loads each. */
const PROGRAMS = { jbig2: 'JBig2', openjpeg: 'OpenJPEG' } as const

const { devDependencies } = z
  .object({ devDependencies: z.object({ 'pdfjs-dist': z.string() }) })
  .parse(JSON.parse(readFileSync(join(ROOT, 'node_modules/unpdf/package.json'), 'utf8')))
const version = devDependencies['pdfjs-dist'].replace(/^[~^]/, '')

const pack = (path: string): string => brotliCompressSync(readFileSync(path)).toString('base64')

const head = (copyright: string): string =>
  `// Made by cmd/build/fetch-pdfjs.ts from pdf.js. Copyright ${copyright}. Do not edit.\n`

const cmapsOf = (folder: string): string =>
  readdirSync(folder)
    .filter((name) => KOREAN.test(name))
    .toSorted()
    .map((name) => `  '${name.replace('.bcmap', '')}': '${pack(join(folder, name))}',\n`)
    .join('')

/** The letters by which a program names its imports and exports change with each build; pdf.js lists them in its source. */
const lettersOf = (source: string, loader: string): string => {
  const from = source.indexOf(`async function ${loader}(`)
  const body = source.slice(from, source.indexOf('return moduleRtn;\n}', from))
  const [, list = ''] = /var wasmImports = \{([^}]*)\}/.exec(body) ?? []
  const imports = [...list.matchAll(/(\w+): _+(\w+)/g)].map(([, letter, name]) => [name, letter])
  const names = [
    ...body.matchAll(/\b_*(\w+) = (?:\w+\["\w+"\] = |wasmMemory = )?wasmExports\["(\w+)"\]/g),
  ]
  const exports = names.map(([, name, letter]) => [name, letter])
  const [, start] = /wasmExports\["(\w+)"\]\(\)/.exec(body) ?? []
  const all = {
    imports: Object.fromEntries(imports),
    exports: { start, ...Object.fromEntries(exports) },
  }
  return JSON.stringify(all).slice(1, -1)
}

const programsOf = (folder: string): string => {
  const source = readFileSync(join(folder, 'build/pdf.worker.mjs'), 'utf8')
  return Object.entries(PROGRAMS)
    .map(([name, loader]) => {
      const wasm = pack(join(folder, `wasm/${name}.wasm`))
      return `  ${name}: {${lettersOf(source, loader)},"wasm":'${wasm}'},\n`
    })
    .join('')
}

/** The texts of cmd/build/licenses/texts and the files of pdf.js that each consists of. */
const LICENSES = {
  'pdfjs-cmaps.txt': ['cmaps/LICENSE'],
  'pdfjs-jbig2.txt': ['wasm/LICENSE_JBIG2', 'wasm/LICENSE_PDFJS_JBIG2'],
  'pdfjs-openjpeg.txt': ['wasm/LICENSE_OPENJPEG', 'wasm/LICENSE_PDFJS_OPENJPEG'],
  'pdfjs-glue.txt': ['wasm/LICENSE_QCMS', 'wasm/LICENSE_PDFJS_QCMS'],
}

const writeLicenses = (from: string): void => {
  for (const [name, files] of Object.entries(LICENSES)) {
    const texts = files.map((file) => readFileSync(join(from, file), 'utf8').trim())
    writeGenerated(join(ROOT, 'cmd/build/licenses/texts', name), `${texts.join('\n\n')}\n`)
  }
}

const folder = mkdtempSync(join(tmpdir(), 'svc-pdfjs-'))
try {
  execFileSync('npm', ['pack', '--silent', `pdfjs-dist@${version}`], { cwd: folder })
  execFileSync('tar', ['-xzf', `pdfjs-dist-${version}.tgz`], { cwd: folder })
  writeLicenses(join(folder, 'package'))
  writeGenerated(
    join(ROOT, 'internal/pdf/korean-cmaps.gen.ts'),
    `${head('Adobe Systems, BSD 3-Clause')}export const KOREAN_CMAPS_OF = '${version}'
/** Brotli, base64. */
export const KOREAN_CMAPS: Readonly<Record<string, string>> = {
${cmapsOf(join(folder, 'package/cmaps'))}}
`,
  )
  writeGenerated(
    join(ROOT, 'internal/pdf/image-programs.gen.ts'),
    `${head('The PDFium Authors (jbig2), Apache 2.0 and BSD 3-Clause, and UCLouvain and others (openjpeg), BSD 2-Clause')}/** WebAssembly: Brotli, base64. The letters are the names of its imports and exports. */
export const IMAGE_PROGRAMS = {
${programsOf(join(folder, 'package'))}} as const
`,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
