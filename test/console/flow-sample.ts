/** An app with a flow of every kind of step, for tests of the console's pages about flows. */
import type { AppTexts } from '../support/app-files.ts'

/* biome-ignore-start lint/suspicious/noTemplateCurlyInString: the manifest's own notation */

export const FLOW_APP: AppTexts = {
  'app.yaml': `key: shop
name: Shop
actions:
  - key: find
    entrypoint: find.ts
    inputSchema:
      type: object
      required: [order]
      properties:
        order: { type: integer, title: Order, description: Its number }
        note: { type: string }
  - key: pay
    entrypoint: pay.ts
  - key: mail
    entrypoint: mail.ts
  - key: fail
    entrypoint: fail.ts
  - key: slow
    entrypoint: slow.ts
  - key: pause
    entrypoint: pause.ts
flows:
  - key: refund
    steps:
      - { key: look, action: find }
      - key: decide
        kind: approval
        approval:
          timeoutS: 86400
          resumeForm:
            - { key: comment, label: Comment, type: textarea, required: true }
            - { key: amount, label: Amount, type: number }
            - { key: how, label: How, type: select, options: [card, cash] }
      - { key: pay, action: pay, retry: { maxAttempts: 3, delayMs: 100 } }
    failureModule: { key: tell, action: mail }
  - key: tour
    steps:
      - { key: look, action: find, input: { order: "\${input.order}" } }
      - key: pick
        kind: branchone
        branches:
          - { key: large, condition: results.look.amount > 1000, action: pay }
          - { key: small, action: mail }
      - key: both
        kind: branchall
        branches:
          - { key: ledger, action: pay }
          - { key: letter, action: mail }
      - { key: each, kind: forloop, items: "\${results.look.lines}", action: mail }
      - { key: many, kind: forloop_parallel, items: [1, 2, 3], action: pay }
      - { key: inner, kind: subflow, subflow: small }
      - { key: unless, action: fail, skipIf: results.look.amount > 0 }
  - key: lock
    concurrency: { limit: 1, key: "\${input.place}" }
    steps:
      - { key: ok, kind: approval, approval: {} }
  - key: small
    steps:
      - { key: only, action: mail }
  - key: broken
    steps:
      - { key: look, action: find, input: { order: 1 } }
      - { key: burst, action: fail }
      - { key: never, action: mail }
    failureModule: { key: tell, action: mail }
  - key: undone
    steps:
      - { key: look, action: find, input: { order: 1 }, undo: { action: mail } }
      - { key: burst, action: fail }
  - key: long
    steps:
      - { key: wait, action: slow }
  - key: crowd
    steps:
      - { key: each, kind: forloop, items: [${Array.from({ length: 60 }, (_, at) => at).join(', ')}], action: pause }
  - key: paid
    steps:
      - { key: nap, kind: sleep, forS: 1 }
      - { key: payment, kind: event, name: order.paid, match: "\${input.order}" }
  - key: twice
    steps:
      - { key: both, kind: approval, approval: { requiredEvents: 2 } }
`,
  'find.ts': `export const main = (ctx) => {
  ctx.log('order', ctx.input.order)
  return { order: ctx.input.order, amount: 25000, lines: ['book', 'pen'] }
}
`,
  'pay.ts': `export const main = (ctx) => ({ paid: ctx.input })\n`,
  'mail.ts': `export const main = (ctx) => ({ sent: true, to: ctx.input })\n`,
  'fail.ts': `export const main = () => { throw new RangeError('The order is closed.') }\n`,
  'pause.ts': `export const main = () => new Promise((resolve) => setTimeout(resolve, 500))\n`,
  'slow.ts': `export const main = () => new Promise((resolve) => setTimeout(resolve, 300_000))\n`,
}

/* biome-ignore-end lint/suspicious/noTemplateCurlyInString: the manifest's own notation */
