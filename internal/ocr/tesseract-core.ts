/** The parts of tesseract.js-core that are used here, with types, which the package does not have. */
// @ts-expect-error: it has none
import untypedCore from 'tesseract.js-core/tesseract-core-simd-lstm.js'

export interface TessBaseApi {
  Init(path: null, language: string, engine: number): number
  SetVariable(name: string, value: string): boolean
  SetImageFile(orientation: number, angle: number): number
  Recognize(monitor: null): number
  GetUTF8Text(): string
  MeanTextConf(): number
}
export type TesseractCore = Readonly<{
  FS: Readonly<{ writeFile: (path: string, bytes: Uint8Array) => void }>
  TessBaseAPI: new () => TessBaseApi
}>
type CoreOptions = Readonly<{
  wasmBinary: Uint8Array<ArrayBuffer>
  print: (text: string) => void
  printErr: (text: string) => void
}>

export const createCore: (options: CoreOptions) => Promise<TesseractCore> = untypedCore
