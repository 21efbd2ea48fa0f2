/** Finds text in layers of a file (optional content) that are turned off: no program shows or prints it. */
import { OPS } from 'unpdf/pdfjs'
import { followLayers, type IsLayerShown } from './layer-depth.ts'
import { toArray } from './operands.ts'
import { hasLetter, type OperatorList } from './page-drawing.ts'

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

/** Whether a letter of the page is in a layer that is not shown. */
export const hasTextInHiddenLayer = (
  { fnArray, argsArray }: OperatorList,
  isShown: IsLayerShown,
): boolean => {
  const { step, isHidden } = followLayers(isShown)
  return fnArray.some((word, at) => {
    const args = toArray(argsArray[at])
    step(word, args)
    return word === OPS.showText && isHidden() && hasLetter(toArray(args[0]))
  })
}
