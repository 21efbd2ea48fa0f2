/** CodeMirror as a component. Import code-editor.tsx instead, which loads this on demand. */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { javascript } from '@codemirror/lang-javascript'
import { json } from '@codemirror/lang-json'
import { yaml } from '@codemirror/lang-yaml'
import {
  bracketMatching,
  defaultHighlightStyle,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language'
import { Annotation, Compartment, EditorState, type Extension } from '@codemirror/state'
import { drawSelection, EditorView, keymap } from '@codemirror/view'
import { useEffect, useEffectEvent, useRef } from 'react'
import { styleNonce } from '../../browser/nonce.ts'
import { assistWith } from './assist-extension.ts'
import type { CodeAssist } from './code-assist.ts'
import { lineGutter, markedLine, showLine } from './code-line.ts'
import { fromEditor, toEditor } from './line-breaks.ts'

export type CodeEditorProps = Readonly<{
  value: string
  /** Read-only if it is left out. */
  onChange?: (value: string) => void
  language: 'json' | 'typescript' | 'yaml' | 'plain'
  /** A description of the content, for screen readers. */
  label: string
  isInvalid?: boolean
  /** Where to put the cursor and the focus, each time `at` changes. */
  place?: Readonly<{ line: number; column: number; at: number }> | null
  /** The line to highlight and scroll to, from 1. */
  line?: number | null
  /** The completion of the file. It must stay the same object for one file. */
  assist?: CodeAssist | null
  /** Called when a line number is clicked. */
  onLine?: (line: number) => void
}>

const LANGUAGES: Readonly<Record<CodeEditorProps['language'], () => Extension>> = {
  json: () => json(),
  typescript: () => javascript({ typescript: true, jsx: true }),
  yaml: () => yaml(),
  plain: () => [],
}

const theme = EditorView.theme({
  '&': {
    fontSize: 'var(--small)',
    color: 'var(--text)',
    backgroundColor: 'var(--ground)',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius)',
    maxHeight: '60vh',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '1px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', minHeight: '8rem' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': {
    backgroundColor: 'var(--surface)',
    color: 'var(--muted)',
    borderRight: '1px solid var(--line)',
  },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground':
    { backgroundColor: 'var(--selected)' },
  '.cm-marked': { backgroundColor: 'var(--selected)' },
  '[data-lines] & .cm-lineNumbers .cm-gutterElement': { cursor: 'pointer' },
  '.cm-tooltip': {
    maxWidth: 'min(36rem, 90vw)',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius)',
    color: 'var(--text)',
    backgroundColor: 'var(--ground)',
    whiteSpace: 'pre-line',
  },
  '.cm-tooltip.cm-completionInfo, .cm-explanation': { padding: 'var(--space-2) var(--space-3)' },
  '.cm-explanation p': { margin: 'var(--space-1) 0 0' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    color: 'var(--text)',
    backgroundColor: 'var(--selected)',
  },
  '.cm-completionDetail': { color: 'var(--muted)', fontStyle: 'normal' },
  '.cm-matchingBracket': { backgroundColor: 'var(--selected)' },
})

/** The tags of the default style in the console's colours, which suit light and dark. */
const highlight = HighlightStyle.define(
  defaultHighlightStyle.specs.map((spec, at) => ({
    tag: spec.tag,
    color: ['var(--accent)', 'var(--good)', 'var(--warn)', 'var(--bad)'][at % 4],
  })),
)

type Mode = Readonly<{ isReadOnly: boolean; isInvalid: boolean }>

const modeOf = ({ isReadOnly, isInvalid }: Mode): Extension => [
  EditorState.readOnly.of(isReadOnly),
  EditorView.editable.of(!isReadOnly),
  EditorView.contentAttributes.of({
    'aria-invalid': String(isInvalid),
    // the text must be scrollable by keyboard, also while it is read-only
    tabindex: '0',
  }),
]

/** Marks a change that the caller made and not the person. */
const given = Annotation.define<true>()

type Stretch = Readonly<{ from: number; to: number }>

/** The range that the browser is about to replace. The browser has a new selection before it notifies the editor. */
const aboutToGo = (view: EditorView): Stretch => {
  const { main } = view.state.selection
  const selected = document.getSelection()
  if (!main.empty || selected === null || selected.rangeCount === 0) return main
  const { startContainer, startOffset, endContainer, endOffset } = selected.getRangeAt(0)
  return {
    from: view.posAtDOM(startContainer, startOffset),
    to: view.posAtDOM(endContainer, endOffset),
  }
}

/**
 * Lets the editor insert text that is typed over a selection. The browser would keep the colours of the replaced text in a
 * `style` attribute, which the content security policy blocks.
 */
const typeOverSelection = EditorView.domEventHandlers({
  beforeinput: ({ inputType, data: insert }, view) => {
    if (inputType !== 'insertText' || insert === null) return false
    if (view.state.readOnly || view.composing) return false
    const { from, to } = aboutToGo(view)
    if (from === to) return false
    view.dispatch({
      changes: { from, to, insert },
      selection: { anchor: from + insert.length },
      userEvent: 'input.type',
      scrollIntoView: true,
    })
    return true
  },
})

/** Both count from 1. A position beyond the text means its end. */
const goTo = (view: EditorView, { line, column }: Readonly<{ line: number; column: number }>) => {
  const found = view.state.doc.line(Math.min(Math.max(1, line), view.state.doc.lines))
  const anchor = Math.min(found.from + Math.max(0, column - 1), found.to)
  view.dispatch({
    selection: { anchor },
    effects: EditorView.scrollIntoView(anchor, { y: 'center' }),
  })
  view.focus()
}

export const CodeMirror = (props: CodeEditorProps) => {
  const { value, onChange, language, label, isInvalid = false, place: target = null } = props
  const { line = null, onLine, assist = null } = props
  const place = useRef<HTMLDivElement>(null)
  const editor = useRef<EditorView | null>(null)
  const mode = useRef(new Compartment())
  const help = useRef(new Compartment())
  const notify = useEffectEvent((text: string) => onChange?.(fromEditor(text, value)))
  const pressLine = useEffectEvent((pressed: number) => onLine?.(pressed))
  const isReadOnly = onChange === undefined
  const initial = useEffectEvent(() => ({ value, isReadOnly, isInvalid }))

  useEffect(() => {
    if (place.current === null) return
    const start = initial()
    const view = new EditorView({
      parent: place.current,
      doc: start.value,
      extensions: [
        EditorView.cspNonce.of(styleNonce()),
        lineGutter((pressed) => pressLine(pressed)),
        markedLine,
        history(),
        drawSelection(),
        indentOnInput(),
        typeOverSelection,
        bracketMatching(),
        syntaxHighlighting(highlight),
        // Tab moves to the next field, as everywhere
        keymap.of([...defaultKeymap, ...historyKeymap]),
        LANGUAGES[language](),
        theme,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label }),
        mode.current.of(modeOf(start)),
        help.current.of([]),
        EditorView.updateListener.of((update) => {
          const isGiven = update.transactions.some((each) => each.annotation(given) === true)
          if (update.docChanged && !isGiven) notify(update.state.doc.toString())
        }),
      ],
    })
    editor.current = view
    return () => {
      editor.current = null
      view.destroy()
    }
  }, [language, label])

  useEffect(() => {
    const effects = mode.current.reconfigure(modeOf({ isReadOnly, isInvalid }))
    editor.current?.dispatch({ effects })
  }, [isReadOnly, isInvalid])

  useEffect(() => {
    const view = editor.current
    if (view === null || view.state.doc.toString() === toEditor(value)) return
    const changes = { from: 0, to: view.state.doc.length, insert: value }
    view.dispatch({ changes, annotations: given.of(true) })
  }, [value])

  // it is loaded after the editor, and a new editor has none yet
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new editor begins without it
  useEffect(() => {
    const extension = assist === null ? [] : assistWith(assist)
    editor.current?.dispatch({ effects: help.current.reconfigure(extension) })
  }, [assist, language, label])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a line is found in the text that is there
  useEffect(() => {
    if (editor.current !== null) showLine(editor.current, line)
  }, [line, value, language, label])

  const go = useEffectEvent(() => {
    if (editor.current !== null && target !== null) goTo(editor.current, target)
  })
  const moment = target?.at
  useEffect(() => {
    if (moment !== undefined) go()
  }, [moment])

  return <div ref={place} data-lines={onLine === undefined ? undefined : ''} />
}
