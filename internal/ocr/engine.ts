/**
 * Tesseract's engine with the Korean data, in this process: no thread, no file, nothing fetched. It gets the
 * position of each stretch of text, because its own line search splits Hangul where there is no blank.
 */
import process from 'node:process'
import { gunzipSync } from 'node:zlib'
import createCore from 'tesseract.js-core/tesseract-core-simd-lstm.js'
import { PdfError } from '#pdf/reading.ts'

export type OcrAssets = Readonly<{ wasm: Uint8Array<ArrayBuffer>; korean: Uint8Array }>

/** `confidence` is 0 to 100. */
export type ReadText = Readonly<{ text: string; confidence: number }>

export type ReadOptions = Readonly<{
  mode: 'line' | 'raw_line' | 'letter'
  /** The only characters that may occur; null allows any. */
  signs: string | null
}>

/** Brightness from 0 (black) to 255 (white), row by row. */
export type GreyImage = Readonly<{ width: number; height: number; grey: Uint8Array }>

export interface OcrEngine {
  /** @param image one line of text with white around it */
  read(image: GreyImage, options: ReadOptions): ReadText
}

const LSTM_ONLY = 1
/** Tesseract's page segmentation modes. */
const MODES = { line: '7', raw_line: '13', letter: '10' } as const
const LANGUAGE = 'kor'

const toPgm = ({ width, height, grey }: GreyImage): Uint8Array => {
  const head = new TextEncoder().encode(`P5\n${width} ${height}\n255\n`)
  const file = new Uint8Array(head.length + grey.length)
  file.set(head)
  file.set(grey, head.length)
  return file
}

/** @throws {Error} the assets are damaged */
export const openOcrEngine = async ({ wasm, korean }: OcrAssets): Promise<OcrEngine> => {
  const quiet = (): void => undefined
  const core = await createCore({ wasmBinary: wasm, print: quiet, printErr: quiet })
  core.FS.writeFile(`./${LANGUAGE}.traineddata`, gunzipSync(korean))
  const api = new core.TessBaseAPI()
  if (api.Init(null, LANGUAGE, LSTM_ONLY) !== 0) throw new Error('The Korean data is damaged.')
  api.SetVariable('user_defined_dpi', '300')
  const known = new Map<string, string>()
  const set = (name: string, value: string): void => {
    if (known.get(name) === value) return
    known.set(name, value)
    api.SetVariable(name, value)
  }
  return {
    read: (image, { mode, signs }) => {
      set('tessedit_pageseg_mode', MODES[mode])
      set('tessedit_char_whitelist', signs ?? '')
      core.FS.writeFile('/input', toPgm(image))
      if (api.SetImageFile(1, 0) !== 0) throw new Error('The image was not taken.')
      api.Recognize(null)
      return { text: api.GetUTF8Text().trim(), confidence: api.MeanTextConf() }
    },
  }
}

/** The engine, which refuses to read after so many milliseconds of processor time of this process. @throws {PdfError} `too_slow` */
export const withinTime = (engine: OcrEngine, budgetMs: number): OcrEngine => {
  const start = process.cpuUsage()
  return {
    read: (image, options) => {
      const { user, system } = process.cpuUsage(start)
      if ((user + system) / 1_000 > budgetMs) {
        throw new PdfError('too_slow', 'A page takes too long to read.')
      }
      return engine.read(image, options)
    },
  }
}
