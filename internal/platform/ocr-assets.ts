/** Finds the OCR engine and its Korean data in node_modules. The binary uses ocr-assets.binary.ts instead. */
import { createRequire } from 'node:module'

export type OcrAssetPaths = Readonly<{ wasm: string; korean: string }>

export const ocrAssets = (): OcrAssetPaths => {
  const require = createRequire(import.meta.url)
  return {
    wasm: require.resolve('tesseract.js-core/tesseract-core-simd-lstm.wasm'),
    korean: require.resolve('@tesseract.js-data/kor/4.0.0_best_int/kor.traineddata.gz'),
  }
}
