/**
 * Hostile or damaged PDFs, made by hand from a few objects or by damaging a valid one. Each lists its permitted outcomes.
 * The tests check that each reaches one of them quickly.
 */
import { deflateSync } from 'node:zlib'
import type { PdfFailure } from '#pdf/reading.ts'
import {
  CATALOG,
  content,
  FONT,
  latin1,
  PAGES,
  type PdfObject,
  pageWith,
  pdfOf,
  plainPdf,
  RESOURCES,
  TEXT,
  withContent,
  zeros,
} from './raw-pdf.ts'

/** The outcome of a file. `read` means that it is unusual but can be read. */
export type Outcome = PdfFailure | 'read'

export type HostilePdf = Readonly<{ name: string; bytes: Uint8Array; may: readonly Outcome[] }>

const wrongKinds = (): readonly HostilePdf[] =>
  Object.entries({
    'an empty file': Buffer.alloc(0),
    'one byte': Buffer.from([0]),
    'a text': latin1('Hello'),
    'a picture': Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
    'a zip': Buffer.from('504b0304140000000800', 'hex'),
    'a web page': latin1('<!doctype html><title>x</title>'),
    zeros: Buffer.alloc(100_000),
    'a PDF behind too much else': Buffer.concat([Buffer.alloc(5_000, 32), plainPdf()]),
  }).map(([name, bytes]) => ({ name, bytes, may: ['not_a_pdf'] }))

const cutShort = (): readonly HostilePdf[] => {
  const whole = plainPdf()
  const lengths = [5, 8, 9, 20, 100, 200, 300, 400, whole.length - 40]
  return lengths.map((length) => ({
    name: `cut after ${length} bytes`,
    bytes: whole.subarray(0, length),
    may: ['broken'],
  }))
}

const LOCKED = `/Encrypt <</Filter /Standard /V 2 /R 3 /Length 128 /P -4 /O <${'ab'.repeat(32)}> /U <${'cd'.repeat(32)}>>> /ID [<00> <00>]`

const locked = (): readonly HostilePdf[] => {
  const objects = [CATALOG, PAGES, pageWith(RESOURCES), content(TEXT), FONT]
  const file = (trailer: string): Buffer => pdfOf(objects, { trailer })
  return [
    { name: 'locked by a password', bytes: file(LOCKED), may: ['encrypted'] },
    {
      name: 'locked by AES-256',
      bytes: file(
        `/Encrypt <</Filter /Standard /V 5 /R 6 /Length 256 /P -4 /O <${'ab'.repeat(48)}> /U <${'cd'.repeat(48)}> /OE <${'ef'.repeat(32)}> /UE <${'01'.repeat(32)}> /Perms <${'23'.repeat(16)}> /CF <</StdCF <</CFM /AESV3>>>> /StmF /StdCF /StrF /StdCF>> /ID [<00> <00>]`,
      ),
      may: ['encrypted', 'broken'],
    },
    {
      name: 'locked by a lock that nobody knows',
      bytes: file('/Encrypt <</Filter /Other /V 9>>'),
      may: ['broken', 'encrypted'],
    },
  ]
}

const chain = (length: number): readonly PdfObject[] => [
  CATALOG,
  ...Array.from(
    { length },
    (_, at) => `<</Type /Pages /Kids [${at + 3} 0 R] /Count 1 /Parent ${at + 1} 0 R>>`,
  ),
  pageWith(''),
]

const brokenTrees = (): readonly HostilePdf[] =>
  Object.entries({
    'no catalog': pdfOf(['<<>>']),
    'no pages': pdfOf(['<</Type /Catalog>>']),
    'pages that are their own child': pdfOf([CATALOG, '<</Type /Pages /Kids [2 0 R] /Count 1>>']),
    'pages that call each other': pdfOf([
      CATALOG,
      '<</Type /Pages /Kids [3 0 R] /Count 2>>',
      '<</Type /Pages /Kids [2 0 R] /Count 1 /Parent 2 0 R>>',
    ]),
    'a thousand million pages': pdfOf([
      CATALOG,
      '<</Type /Pages /Kids [3 0 R] /Count 1000000000>>',
      pageWith(''),
      content(''),
    ]),
    'fewer than no pages': pdfOf([
      CATALOG,
      '<</Type /Pages /Kids [3 0 R] /Count -5>>',
      pageWith(''),
      content(''),
    ]),
    'a tree of five thousand levels': pdfOf(chain(5_000)),
    'six hundred pages': pdfOf([
      CATALOG,
      `<</Type /Pages /Kids [${'3 0 R '.repeat(600)}] /Count 600>>`,
      pageWith(''),
      content(''),
    ]),
    'a page without a size': pdfOf([
      CATALOG,
      PAGES,
      '<</Type /Page /Parent 2 0 R /MediaBox [0 0 0 0]>>',
    ]),
    'a page as wide as the world': pdfOf([
      CATALOG,
      PAGES,
      '<</Type /Page /Parent 2 0 R /MediaBox [0 0 1e30 1e30] /UserUnit 1e30>>',
    ]),
    'arrays in arrays': pdfOf([CATALOG, PAGES, pageWith(`/X ${'['.repeat(100_000)}`), content('')]),
    'dictionaries in dictionaries': pdfOf([
      CATALOG,
      PAGES,
      pageWith(`/X ${'<</X '.repeat(50_000)}`),
      content(''),
    ]),
    'a table that stands nowhere': pdfOf([CATALOG, PAGES, pageWith('')], {
      startXref: '999999999',
    }),
    'a table at a place below zero': pdfOf([CATALOG, PAGES, pageWith('')], { startXref: '-1' }),
    'a table that comes after itself': pdfOf([CATALOG, PAGES, pageWith(''), content('')], {
      trailer: '/Prev 9',
    }),
    'an object that is itself': pdfOf([CATALOG, '2 0 R']),
    'a length that is itself': pdfOf([
      CATALOG,
      PAGES,
      pageWith(''),
      '<</Length 4 0 R>>\nstream\nx\nendstream',
    ]),
  }).map(([name, bytes]) => ({ name, bytes, may: ['broken', 'too_big', 'too_slow', 'read'] }))

const form = (body: string, resources: string): PdfObject => ({
  dictionary: `/Type /XObject /Subtype /Form /BBox [0 0 100 100] /Resources <<${resources}>>`,
  stream: latin1(body),
})

const image = (more: string, stream: Uint8Array): PdfObject => ({
  dictionary: `/Type /XObject /Subtype /Image /BitsPerComponent 8 ${more}`,
  stream,
})

const CMAP = (body: string): PdfObject =>
  content(
    `/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange ${body} endcmap`,
  )

const composite = (toUnicode: PdfObject): readonly PdfObject[] => [
  '<</Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /DescendantFonts [7 0 R] /ToUnicode 8 0 R>>',
  '<</Type /Font /Subtype /CIDFontType2 /BaseFont /X /CIDSystemInfo <</Registry (Adobe) /Ordering (Identity) /Supplement 0>>>>',
  toUnicode,
]

const bombs = (): readonly HostilePdf[] => {
  const flate = '/Filter /FlateDecode'
  const once = zeros(64)
  const resourcesOf = (name: string): string =>
    `/Resources <</Font <</F 5 0 R>> /XObject <<${name} 6 0 R>>>>`
  const composed = '/Resources <</Font <</F 5 0 R /G 6 0 R>>>>'
  return Object.entries({
    'a page of a thousand megabytes of zeros': withContent({
      dictionary: flate,
      stream: zeros(1_000),
    }),
    'a page packed three times': withContent({
      dictionary: '/Filter [/FlateDecode /FlateDecode /FlateDecode]',
      stream: deflateSync(deflateSync(once)),
    }),
    'a page of a million saved states': withContent({
      dictionary: flate,
      stream: deflateSync(latin1(`${TEXT} ${'q '.repeat(1_000_000)}`)),
    }),
    'a page of a million words': withContent({
      dictionary: flate,
      stream: deflateSync(latin1(`BT /F 10 Tf ${'1 0 0 1 5 5 Tm (a b) Tj '.repeat(300_000)} ET`)),
    }),
    'a page of a million lines': withContent({
      dictionary: flate,
      stream: deflateSync(latin1(`${TEXT} ${'0 0 m 500 0 l S '.repeat(1_000_000)}`)),
    }),
    'one path of a million pieces': withContent({
      dictionary: flate,
      stream: deflateSync(latin1(`${TEXT} 0 0 m ${'500 0 l '.repeat(1_000_000)} S`)),
    }),
    'a million brackets': withContent({
      dictionary: flate,
      stream: deflateSync(latin1('['.repeat(1_000_000))),
    }),
    'a form that draws itself': withContent(content(`${TEXT} /X Do`), resourcesOf('/X'), [
      form('/X Do', '/XObject <</X 6 0 R>>'),
    ]),
    'forms that double twenty-four times': withContent(
      content(`${TEXT} /X Do`),
      resourcesOf('/X'),
      Array.from({ length: 24 }, (_, at) =>
        form('/X Do /X Do', `/XObject <</X ${at + 7} 0 R>>`),
      ).concat([form('0 0 m 9 9 l S', '')]),
    ),
    'an image of nine hundred million pixels': withContent(
      content(`${TEXT} 99 0 0 99 400 700 cm /X Do`),
      resourcesOf('/X'),
      [image(`/Width 30000 /Height 30000 /ColorSpace /DeviceRGB ${flate}`, zeros(64))],
    ),
    'an image that is less than it says': withContent(
      content(`${TEXT} 99 0 0 99 400 700 cm /X Do`),
      resourcesOf('/X'),
      [image('/Width 3000 /Height 3000 /ColorSpace /DeviceRGB', latin1('abc'))],
    ),
    'an image of a size below zero': withContent(
      content(`${TEXT} 99 0 0 99 400 700 cm /X Do`),
      resourcesOf('/X'),
      [image('/Width -5 /Height 1e99 /ColorSpace /DeviceRGB', latin1('abc'))],
    ),
    'an image that no decoder takes': withContent(
      content(`${TEXT} 99 0 0 99 400 700 cm /X Do`),
      resourcesOf('/X'),
      [image('/Width 9 /Height 9 /ColorSpace /DeviceRGB /Filter /JBIG2Decode', latin1('garbage'))],
    ),
    'a table of characters without end': withContent(
      content(`${TEXT} BT /G 9 Tf (ab) Tj ET`),
      composed,
      composite(CMAP('1 beginbfrange <0000> <FFFFFFFF> <0041> endbfrange')),
    ),
    'a table of characters that uses itself': withContent(
      content(`${TEXT} BT /G 9 Tf (ab) Tj ET`),
      composed,
      composite(CMAP('/X usecmap')),
    ),
    'a hundred thousand ranges of characters': withContent(
      content(`${TEXT} BT /G 9 Tf (ab) Tj ET`),
      composed,
      composite(CMAP(`100000 beginbfrange ${'<0000> <FFFF> <0041> '.repeat(100_000)} endbfrange`)),
    ),
    'a pattern that paints with itself': withContent(
      content(`${TEXT} /Pattern cs /P scn 0 0 9 9 re f`),
      '/Resources <</Font <</F 5 0 R>> /Pattern <</P 6 0 R>>>>',
      [
        {
          dictionary:
            '/PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 1 1] /XStep 1 /YStep 1 /Resources <</Pattern <</P 6 0 R>>>>',
          stream: latin1('/Pattern cs /P scn 0 0 1 1 re f'),
        },
      ],
    ),
    'a letter that writes itself': withContent(content(`${TEXT} BT /G 9 Tf (a) Tj ET`), composed, [
      '<</Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /FirstChar 97 /LastChar 97 /Widths [1] /Encoding <</Differences [97 /a]>> /CharProcs <</a 7 0 R>> /Resources <</Font <</G 6 0 R>>>>>>',
      content('1 0 d0 BT /G 9 Tf (a) Tj ET'),
    ]),
    'a function that never ends': withContent(
      content(`${TEXT} /C cs 0.5 scn 0 0 9 9 re f`),
      '/Resources <</Font <</F 5 0 R>> /ColorSpace <</C [/Separation /X /DeviceRGB 6 0 R]>>>>',
      [
        {
          dictionary: '/FunctionType 4 /Domain [0 1] /Range [0 1 0 1 0 1]',
          stream: latin1(`{ ${'dup '.repeat(50_000)} }`),
        },
      ],
    ),
    'numbers that are none': withContent(
      content(`${TEXT} 1e999 -1e999 m NaN 5 l S 99999999999999999999 w`),
    ),
    'objects in a stream that holds itself': pdfOf([
      CATALOG,
      PAGES,
      pageWith(RESOURCES),
      content(TEXT),
      FONT,
      {
        dictionary: '/Type /ObjStm /N 100000000 /First 10 /Extends 6 0 R',
        stream: latin1('6 0 7 5 8 9'),
      },
    ]),
    'damage in the middle of a packed page': withContent({
      dictionary: flate,
      stream: Buffer.concat([
        deflateSync(latin1(`${TEXT} ${'0 0 m 9 9 l S '.repeat(900)}`)).subarray(0, 60),
        Buffer.alloc(60, 0xff),
      ]),
    }),
  }).map(([name, bytes]) => ({ name, bytes, may: ['broken', 'too_big', 'too_slow', 'read'] }))
}

const withCatalog = (more: string, objects: readonly PdfObject[] = []): Buffer =>
  pdfOf([
    `<</Type /Catalog /Pages 2 0 R ${more}>>`,
    PAGES,
    pageWith(RESOURCES),
    content(TEXT),
    FONT,
    ...objects,
  ])

/** Actions that a viewer would run and the reader must ignore. */
const actions = (): readonly HostilePdf[] =>
  Object.entries({
    'a script that runs when it is opened': withCatalog(
      '/OpenAction <</S /JavaScript /JS (while \\(true\\) {})>>',
    ),
    'a program to start': withCatalog('/OpenAction <</S /Launch /F (/bin/sh)>>'),
    'an address to call': withCatalog('/OpenAction <</S /URI /URI (http://127.0.0.1:1/)>>'),
    'a form that sends itself': withCatalog('/AcroForm <</Fields [] /XFA (<xdp/>)>>'),
    'a file of another place': withCatalog(
      '/Names <</EmbeddedFiles <</Names [(a) <</F (/etc/passwd)>>]>>>>',
    ),
    'a stream of another place': pdfOf([
      CATALOG,
      PAGES,
      pageWith(RESOURCES),
      content(TEXT),
      FONT,
      { dictionary: '/F (/etc/passwd)', stream: latin1('') },
    ]),
    'chapters that go in a circle': withCatalog('/Outlines 6 0 R', [
      '<</First 6 0 R /Last 6 0 R /Next 6 0 R>>',
    ]),
  }).map(([name, bytes]) => ({ name, bytes, may: ['read'] }))

/** Returns the same numbers for the same seed. */
const createRandom = (seed: number): ((below: number) => number) => {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** A valid file with a few bytes changed. */
const gnawed = (count: number): readonly HostilePdf[] =>
  Array.from({ length: count }, (_, seed) => {
    const random = createRandom(seed + 1)
    const bytes = Buffer.from(plainPdf('0 0 m 500 0 l S'))
    for (let change = random(20) + 1; change > 0; change -= 1) {
      bytes[9 + random(bytes.length - 9)] = random(256)
    }
    return {
      name: `gnawed at, ${seed}`,
      bytes,
      may: ['broken', 'encrypted', 'too_big', 'too_slow', 'read'],
    }
  })

/** @param gnawedCount number of randomly damaged files, in addition to those made by hand */
export const hostilePdfs = (gnawedCount: number): readonly HostilePdf[] => [
  ...wrongKinds(),
  ...cutShort(),
  ...locked(),
  ...brokenTrees(),
  ...bombs(),
  ...actions(),
  ...gnawed(gnawedCount),
]
