/**
 * What packages do not state about themselves: work of others inside them, and texts that their authors left out. The build
 * refuses a package without a licence text, so a new one is entered here by hand.
 */
import { KOREAN_CMAPS_OF } from '../../../internal/pdf/korean-cmaps.gen.ts'

/** A work inside a package or a source. */
export type Part = Readonly<{
  name: string
  /** Null if the package does not state it. */
  version: string | null
  license: string
  /** Files in texts/. */
  texts: readonly string[]
}>

const part = (
  name: string,
  license: string,
  texts: readonly string[],
  version: string | null = null,
): Part => ({ name, version, license, texts })

const APACHE = 'apache-2.0.txt'

const IN_TESSERACT = [
  part('leptonica', 'BSD-2-Clause', ['leptonica.txt']),
  part('giflib', 'MIT AND ISC', ['giflib.txt']),
  part('libjpeg', 'IJG', ['libjpeg.txt']),
  part('libpng', 'libpng-2.0', ['libpng.txt']),
  part('libtiff', 'libtiff', ['libtiff.txt']),
  part('libwebp', 'BSD-3-Clause', ['libwebp.txt']),
  part('zlib', 'Zlib', ['zlib.txt']),
  part('openlibm', 'MIT AND ISC AND BSD-2-Clause', ['openlibm.txt']),
  part('emscripten', 'MIT', ['emscripten.txt']),
  part('musl', 'MIT AND BSD-2-Clause', ['musl.txt']),
  part('libc++', 'Apache-2.0 WITH LLVM-exception', [APACHE, 'llvm-exception.txt']),
]

/** By the name of the package, or the path of the source of svc. */
export const PARTS: Readonly<Record<string, readonly Part[]>> = {
  'internal/pdf/korean-cmaps.gen.ts': [
    part('cmaps', 'BSD-3-Clause', ['pdfjs-cmaps.txt'], KOREAN_CMAPS_OF),
  ],
  'internal/pdf/image-programs.gen.ts': [
    part('pdfium', 'Apache-2.0 AND BSD-3-Clause', ['pdfjs-jbig2.txt'], KOREAN_CMAPS_OF),
    part('openjpeg', 'BSD-2-Clause', ['pdfjs-openjpeg.txt'], KOREAN_CMAPS_OF),
  ],
  unpdf: [part('pdf.js', 'Apache-2.0', [APACHE, 'pdfjs-glue.txt'], KOREAN_CMAPS_OF)],
  'jpeg-js': [part('decoder', 'Apache-2.0', ['jpeg-decoder.txt', APACHE])],
  '@pdf-lib/standard-fonts': [part('afm', 'APAFML', ['adobe-afm.txt'])],
  '@tesseract.js-data/kor': [part('tessdata', 'Apache-2.0', [APACHE])],
  'tesseract.js-core': IN_TESSERACT,
  deno: [
    part('v8', 'BSD-3-Clause', ['v8.txt']),
    part('icu', 'Unicode-3.0', ['icu.txt']),
    part('rust', 'MIT', ['rust.txt']),
  ],
  esbuild: [part('go', 'BSD-3-Clause', ['go.txt'])],
  libsql: [
    part('sqlite', 'blessing', ['sqlite.txt']),
    part('sqlite3mc', 'MIT', ['sqlite3mc.txt']),
    part('rust', 'MIT', ['rust.txt']),
  ],
}

/**
 * Packages that state their licence only in package.json. Their notice is the licence's standard text, with the authors that
 * package.json names.
 */
export const WITHOUT_TEXT: ReadonlySet<string> = new Set([
  '@libsql/client',
  '@libsql/core',
  '@libsql/isomorphic-ws',
  '@tesseract.js-data/kor',
  'promise-limit',
  'standardwebhooks',
])

/** Licences that svc may be distributed with, by SPDX identifier: they ask for their text and nothing more. */
export const ALLOWED: ReadonlySet<string> = new Set([
  '0BSD',
  'APAFML',
  'Apache-2.0',
  'Apache-2.0 WITH LLVM-exception',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'IJG',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'Unicode-3.0',
  'Unlicense',
  'Zlib',
  'blessing',
  'libpng-2.0',
  'libtiff',
])
