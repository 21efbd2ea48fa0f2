/** The parts of tesseract.js-core that are used here. The package has no types. */
declare module 'tesseract.js-core/tesseract-core-simd-lstm.js' {
  class TessBaseApi {
    Init(path: null, language: string, engine: number): number
    SetVariable(name: string, value: string): boolean
    SetImageFile(orientation: number, angle: number): number
    Recognize(monitor: null): number
    GetUTF8Text(): string
    MeanTextConf(): number
  }
  const createCore: (
    options: Readonly<{
      wasmBinary: Uint8Array<ArrayBuffer>
      print: (text: string) => void
      printErr: (text: string) => void
    }>,
  ) => Promise<
    Readonly<{
      FS: Readonly<{ writeFile: (path: string, bytes: Uint8Array) => void }>
      TessBaseAPI: typeof TessBaseApi
    }>
  >
  export = createCore
}
