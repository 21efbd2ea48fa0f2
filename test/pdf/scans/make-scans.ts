/**
 * Writes the scans of this folder: one generated certificate, rendered and packed in each format. Run
 * `node test/pdf/scans/make-scans.ts` on Debian with poppler-utils, libtiff-tools and libopenjp2-tools.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { generateCertificate } from '../../registry/fixtures/certificate/generate-certificate.ts'
import { certificatePdf } from '../../registry/fixtures/certificate/write-pdf.ts'
import { CATALOG, content, type PdfObject, pdfOf } from '../../support/raw-pdf.ts'
import { asFaxRegion, asLetters, asRegion, type Bits } from './jbig2.ts'

const DPI = 200
const BLACK_BELOW = 128
const TIFF = { type: 3, count: 4, value: 8, entry: 12, offsets: 273, lengths: 279 }

const certificate = generateCertificate(36, { propertyType: 'land' })
const folder = mkdtempSync(join(tmpdir(), 'svc-scans-'))
const path = (name: string): string => join(folder, name)
const run = (program: string, ...words: readonly string[]): void => {
  execFileSync(program, words, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
}

const readPgm = (bytes: Buffer) => {
  const head = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(bytes.toString('latin1', 0, 64))
  if (head === null) throw new Error('no P5')
  const [all, width, height] = head
  return { width: Number(width), height: Number(height), grey: bytes.subarray(all.length) }
}

/** Rows of bits, of which 1 is black. */
const pack = ({ width, height, at }: Bits): Buffer => {
  const row = Math.ceil(width / 8)
  const packed = Buffer.alloc(row * height)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const place = y * row + (x >> 3)
      packed[place] = (packed[place] ?? 0) | (at(x, y) << (7 - (x & 7)))
    }
  }
  return packed
}

/** The data of a TIFF that has one strip. */
const stripOf = (tiff: Buffer): Buffer => {
  const directory = tiff.readUInt32LE(4)
  const entries = Array.from(
    { length: tiff.readUInt16LE(directory) },
    (_, at) => directory + 2 + at * TIFF.entry,
  )
  const read = (tag: number): number => {
    const entry = entries.find((one) => tiff.readUInt16LE(one) === tag) ?? 0
    if (tiff.readUInt32LE(entry + TIFF.count) !== 1) throw new Error('more than one strip')
    const isShort = tiff.readUInt16LE(entry + 2) === TIFF.type
    return isShort ? tiff.readUInt16LE(entry + TIFF.value) : tiff.readUInt32LE(entry + TIFF.value)
  }
  return tiff.subarray(read(TIFF.offsets), read(TIFF.offsets) + read(TIFF.lengths))
}

/** @param more further objects, from the sixth on */
const writeScan = (
  name: string,
  image: string,
  stream: Uint8Array,
  more: readonly PdfObject[] = [],
): void => {
  const [x, y] = [(bits.width * 72) / DPI, (bits.height * 72) / DPI]
  const file = pdfOf([
    CATALOG,
    '<</Type /Pages /Kids [3 0 R] /Count 1>>',
    `<</Type /Page /Parent 2 0 R /MediaBox [0 0 ${x} ${y}] /Contents 4 0 R /Resources <</XObject <</I 5 0 R>>>>>>`,
    content(`${x} 0 0 ${y} 0 0 cm /I Do`),
    {
      dictionary: `/Type /XObject /Subtype /Image /Width ${bits.width} /Height ${bits.height} ${image}`,
      stream,
    },
    ...more,
  ])
  writeFileSync(join(import.meta.dirname, `${name}.pdf`), file)
}

const BILEVEL = '/ColorSpace /DeviceGray /BitsPerComponent 1'

writeFileSync(path('c.pdf'), await certificatePdf(certificate))
run('pdftoppm', '-r', String(DPI), '-gray', '-singlefile', 'c.pdf', 'page')
const { width, height, grey } = readPgm(readFileSync(path('page.pgm')))
const bits: Bits = {
  width,
  height,
  at: (x, y) => ((grey[y * width + x] ?? 0) < BLACK_BELOW ? 1 : 0),
}
try {
  const white = pack(bits).map((byte) => byte ^ 0xff)
  writeScan('flate', `${BILEVEL} /Filter /FlateDecode`, deflateSync(white, { level: 9 }))
  writeScan(
    'flate-grey',
    '/ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode',
    deflateSync(grey, { level: 9 }),
  )

  writeFileSync(
    path('page.pbm'),
    Buffer.concat([Buffer.from(`P4\n${width} ${height}\n`), pack(bits)]),
  )
  run('ppm2tiff', 'page.pbm', 'page.tif')
  const fax = (name: string, code: string, k: number): Buffer => {
    run('tiffcp', '-c', code, '-f', 'msb2lsb', '-r', String(height), 'page.tif', 'fax.tif')
    const strip = stripOf(readFileSync(path('fax.tif')))
    const parameters = `/K ${k} /Columns ${width} /Rows ${height}`
    writeScan(name, `${BILEVEL} /Filter /CCITTFaxDecode /DecodeParms <<${parameters}>>`, strip)
    return strip
  }
  fax('ccitt-g3', 'g3:1d', 0)
  fax('ccitt-g3-2d', 'g3:2d', 4)
  const group4 = fax('ccitt-g4', 'g4', -1)

  const jbig2 = `${BILEVEL} /Filter /JBIG2Decode`
  writeScan('jbig2-region', jbig2, asRegion(bits))
  writeScan('jbig2-fax', jbig2, asFaxRegion(bits, group4))
  const { shared, page } = asLetters(bits)
  writeScan('jbig2-letters', `${jbig2} /DecodeParms <</JBIG2Globals 6 0 R>>`, page, [
    { dictionary: '', stream: shared },
  ])

  // without a rate it would be lossless and larger than the limit of this folder
  run('opj_compress', '-i', 'page.pgm', '-o', 'page.jp2', '-r', '60')
  writeScan(
    'jpx-grey',
    '/ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /JPXDecode',
    readFileSync(path('page.jp2')),
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
