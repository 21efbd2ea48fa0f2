/** Replays or cancels the selected flow runs, and shows the progress. */
import { Ban, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import type { Schemas } from '#sdk/client.ts'
import { bulkMessages } from '../../../bulk/messages.ts'
import { useRequestKey } from '../../../form/use-request-key.ts'
import { ActionDialog } from '../../../kit/dialog.tsx'
import { FormButton } from '../../../kit/form-button.tsx'
import { defineMessages, plural, useMessages } from '../../../language/messages.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { type BulkKind, idsFor, NONE_SENT, sendInPieces } from './bulk-pieces.ts'

const messages = defineMessages({
  cancel: { en: 'Cancel runs', ko: '실행 취소' },
  replayTitle: { en: 'Replay flow runs', ko: '플로우 다시 실행' },
  cancelTitle: { en: 'Cancel flow runs', ko: '플로우 실행 취소' },
  replayText: {
    en: 'Each run starts again at its first step, as a new run with the same input and the same version of the code.',
    ko: '각 실행이 같은 입력과 같은 코드 버전으로 첫 단계부터 새로 시작됩니다.',
  },
  cancelText: {
    en: 'This also cancels their queued and running jobs. Changes they made in other systems stay.',
    ko: '대기 중이거나 실행 중인 작업도 함께 취소됩니다. 이미 다른 시스템에 반영된 내용은 남습니다.',
  },
  count: {
    en: (count: number) => `${count} ${plural(count, 'run', 'runs')}`,
    ko: (count: number) => `실행 ${count}개`,
  },
})

const ICONS = { replay: RotateCcw, cancel: Ban } as const

type Runs = readonly Pick<Schemas['FlowRun'], 'id' | 'status'>[]

type BulkRunButtonsProps = Readonly<{ runs: Runs; onDone: () => void }>

export const BulkRunButtons = ({ runs, onDone }: BulkRunButtonsProps) => {
  const t = useMessages(messages)
  return (['replay', 'cancel'] as const)
    .filter((kind) => idsFor(kind, runs).length > 0)
    .map((kind) => (
      <FormButton key={kind} label={t[kind]} icon={ICONS[kind]} look="normal" need="flows:run">
        {(close) => (
          <BulkRunDialog kind={kind} ids={idsFor(kind, runs)} onClose={close} onDone={onDone} />
        )}
      </FormButton>
    ))
}

type BulkRunDialogProps = Readonly<{
  kind: BulkKind
  ids: readonly string[]
  onClose: () => void
  /** Called when the dialog with the outcome is closed. */
  onDone: () => void
}>

const BulkRunDialog = ({ kind, ids, onClose, onDone }: BulkRunDialogProps) => {
  const t = useMessages(messages)
  const words = useMessages(bulkMessages)
  const ws = useWorkspace()
  const api = useApi()
  const [sent, setSent] = useState(NONE_SENT)
  const idempotencyKey = useRequestKey(kind)
  const end = (): void => {
    onClose()
    onDone()
  }
  return (
    <ActionDialog
      title={t[`${kind}Title`]}
      send={t[kind]}
      failed={words.notStarted}
      isDangerous={kind === 'cancel'}
      touches={[
        [ws, 'flow-runs'],
        [ws, 'jobs'],
      ]}
      run={() =>
        sendInPieces(ids, sent, {
          send: (piece) =>
            api.post('/flow-runs/bulk', { body: { do: kind, ids: piece }, idempotencyKey }),
          onSent: setSent,
        })
      }
      result={({ failed }) => (
        <Dialog
          isOpen
          onClose={end}
          title={t[`${kind}Title`]}
          foot={<Button onClick={end}>{words.close}</Button>}
        >
          <p role="status">
            {words.progress(ids.length - failed, ids.length)}{' '}
            {failed === 0 ? '' : words.refused(failed)}
          </p>
        </Dialog>
      )}
      onClose={onClose}
    >
      <p>
        {t.count(ids.length)}. {t[`${kind}Text`]}
      </p>
      {sent.count === 0 ? null : (
        <progress aria-label={t[`${kind}Title`]} max={ids.length} value={sent.count} />
      )}
    </ActionDialog>
  )
}
