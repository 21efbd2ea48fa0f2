/** Finds the OCR engine and its Korean data: unpacked from the binary. */
import { unpackCarried } from './carried.ts'
import type { OcrAssetPaths } from './ocr-assets.ts'

export const ocrAssets = (): OcrAssetPaths => ({
  wasm: unpackCarried('tesseract.wasm'),
  korean: unpackCarried('kor.traineddata.gz'),
})
