/** Finds text in layers of a file (optional content) that are turned off: no program shows or prints it. */
import { OPS } from 'unpdf/pdfjs'
import { toArray } from './operands.ts'
import { hasLetter, type OperatorList } from './page-drawing.ts'

/** Whether a layer, as pdf.js describes it, is shown. */
export type IsLayerShown = (layer: unknown) => boolean

type Layers = Readonly<{ isVisible: (layer: unknown) => boolean }>
type LayeredDocument = Readonly<{
  getOptionalContentConfig: (options: { intent: string }) => Promise<Layers>
}>

/** Reads which layers are shown. A layer that appears only on the screen or only in print counts as shown. */
export const readLayers = async (document: LayeredDocument): Promise<IsLayerShown> => {
  const screen = await document.getOptionalContentConfig({ intent: 'display' })
  const print = await document.getOptionalContentConfig({ intent: 'print' })
  return (layer) => screen.isVisible(layer) || print.isVisible(layer)
}

const BEGINS: ReadonlySet<number> = new Set([OPS.beginMarkedContent, OPS.beginMarkedContentProps])

/** Whether a letter of the page is in a layer that is not shown. */
export const hasTextInHiddenLayer = (
  { fnArray, argsArray }: OperatorList,
  isShown: IsLayerShown,
): boolean => {
  let depth = 0
  /** The depth at which the outermost hidden layer began, or null outside of one. */
  let hiddenFrom: number | null = null
  for (const [at, word] of fnArray.entries()) {
    const [first, layer] = toArray(argsArray[at])
    if (BEGINS.has(word)) {
      depth += 1
      if (hiddenFrom === null && first === 'OC' && !isShown(layer)) hiddenFrom = depth
    } else if (word === OPS.endMarkedContent) {
      if (hiddenFrom === depth) hiddenFrom = null
      depth = Math.max(0, depth - 1)
    } else if (word === OPS.showText && hiddenFrom !== null && hasLetter(toArray(first)))
      return true
  }
  return false
}
