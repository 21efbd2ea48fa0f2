/** Completion and explanation as extensions of CodeMirror. */
import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from '@codemirror/autocomplete'
import { type Extension, Prec } from '@codemirror/state'
import { hoverTooltip, keymap } from '@codemirror/view'
import type { CodeAssist, Explanation } from './code-assist.ts'

const complete =
  ({ suggest }: CodeAssist) =>
  ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
    const found = suggest(state.doc.toString(), pos)
    if (found === null || found.options.length === 0) return null
    // on an empty line, no list opens until the person requests it
    const isQuiet =
      found.from === pos && !/[.:]\s*$/.test(state.sliceDoc(Math.max(0, pos - 3), pos))
    if (isQuiet && !explicit) return null
    return {
      from: found.from,
      options: found.options.map(({ kind, info, detail, apply, label }) => ({
        label,
        type: kind,
        ...(detail === undefined ? {} : { detail }),
        ...(info === undefined ? {} : { info }),
        ...(apply === undefined ? {} : { apply }),
      })),
      validFor: /^[\w$-]*$/,
    }
  }

const boxOf = ({ title, text }: Explanation): HTMLElement => {
  const box = document.createElement('div')
  box.className = 'cm-explanation'
  const head = document.createElement('code')
  head.textContent = title
  const body = document.createElement('p')
  body.textContent = text
  box.append(head, body)
  return box
}

export const assistWith = (assist: CodeAssist): Extension => [
  autocompletion({ override: [complete(assist)], icons: false }),
  // an open list handles Enter and the arrow keys first
  Prec.highest(keymap.of(completionKeymap)),
  hoverTooltip((view, at) => {
    const found = assist.explain(view.state.doc.toString(), at)
    if (found === null) return null
    return { pos: found.from, end: found.to, above: true, create: () => ({ dom: boxOf(found) }) }
  }),
]
