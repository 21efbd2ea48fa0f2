/** Follows the layers (optional content) in which the operators of a page draw. */
import { OPS } from 'unpdf/pdfjs'

/** Whether a layer, as pdf.js describes it, is shown. */
export type IsLayerShown = (layer: unknown) => boolean

const BEGINS: ReadonlySet<number> = new Set([OPS.beginMarkedContent, OPS.beginMarkedContentProps])

/** Follows the operators one by one. */
export const followLayers = (isShown: IsLayerShown) => {
  let depth = 0
  /** The depth at which the outermost hidden layer began, or null outside of one. */
  let hiddenFrom: number | null = null
  return {
    step: (word: number, [first, layer]: readonly unknown[]): void => {
      if (BEGINS.has(word)) {
        depth += 1
        if (hiddenFrom === null && first === 'OC' && !isShown(layer)) hiddenFrom = depth
      } else if (word === OPS.endMarkedContent) {
        if (hiddenFrom === depth) hiddenFrom = null
        depth = Math.max(0, depth - 1)
      }
    },
    isHidden: (): boolean => hiddenFrom !== null,
  }
}
