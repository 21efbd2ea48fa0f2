/** A highlighted line in the code editor, and line numbers that can be clicked. */
import { type Extension, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, lineNumbers } from '@codemirror/view'

const mark = StateEffect.define<number | null>()
const MARKED = Decoration.line({ class: 'cm-marked' })

export const markedLine: Extension = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marked, transaction) => {
    const { state, effects, changes } = transaction
    const effect = effects.find((each) => each.is(mark))
    if (effect === undefined) return marked.map(changes)
    const line = effect.value
    return line === null ? Decoration.none : Decoration.set(MARKED.range(state.doc.line(line).from))
  },
  provide: (field) => EditorView.decorations.from(field),
})

/** @param line from 1; a line beyond the text highlights none */
export const showLine = (view: EditorView, line: number | null): void => {
  const found = line === null || line < 1 || line > view.state.doc.lines ? null : line
  const effects: StateEffect<unknown>[] = [mark.of(found)]
  if (found !== null) {
    const { from } = view.state.doc.line(found)
    effects.push(EditorView.scrollIntoView(from, { y: 'center' }))
  }
  view.dispatch({ effects })
}

export const lineGutter = (onPress: (line: number) => void): Extension =>
  lineNumbers({
    domEventHandlers: {
      click: (view, block) => {
        onPress(view.state.doc.lineAt(block.from).number)
        return true
      },
    },
  })
