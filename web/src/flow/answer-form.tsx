/** The form of an approval with its two buttons. Typed text is kept until it is sent. */
import { useMutation } from '@tanstack/react-query'
import { Check, X } from 'lucide-react'
import { useState } from 'react'
import { ApiError } from '#sdk/client.ts'
import type { Json } from '#sdk/mod.ts'
import { parseJson } from '../form/schema-form.tsx'
import { SchemaInput } from '../form/schema-input.tsx'
import { useKeptState } from '../form/use-kept-state.ts'
import { useMessages } from '../language/messages.ts'
import { useApi, useWorkspace } from '../session/api.ts'
import { queryClient } from '../session/query-client.ts'
import { useMay } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/form/field.tsx'
import { isObject } from '../ui/json-object.ts'
import { ErrorState } from '../ui/notice.tsx'
import { announce } from '../ui/toast.tsx'
import styles from './answer-form.module.css'
import type { FormField } from './definition.ts'
import { fieldOfPath, filledIn, missingFields, toSchemaField } from './form-values.ts'
import type { Bar } from './may-answer.ts'
import { messages } from './messages.ts'

export type AnswerFormProps = Readonly<{
  runId: string
  step: string
  form: readonly FormField[]
  bar: Bar | null
}>

type Values = Readonly<Record<string, Json>>

const readValues = (text: string): Values => {
  const parsed = parseJson(text)
  if (!isObject(parsed)) return {}
  return Object.fromEntries(
    Object.entries(parsed).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  )
}

export const AnswerForm = ({ runId, step, form, bar }: AnswerFormProps) => {
  const t = useMessages(messages)
  const may = useMay()
  const ws = useWorkspace()
  const [text, setText, forget] = useKeptState(`answer ${ws} ${runId} ${step}`, '{}')
  const [reason, setReason, forgetReason] = useKeptState(`reject ${ws} ${runId} ${step}`, '')
  const [isTried, setTried] = useState(false)
  const [isRejecting, setRejecting] = useState(false)
  const values = readValues(text)
  const { approve, reject } = useAnswer({
    runId,
    step,
    onDone: () => {
      forget()
      forgetReason()
    },
  })
  if (!may('flows:resume')) return <p className={styles.bar}>{t.mayNot}</p>
  if (bar === 'answered_before') return <p className={styles.bar}>{t.answeredBefore}</p>
  const missing = missingFields(form, values)
  const submit = (): void => {
    setTried(true)
    if (missing.length === 0) approve.mutate(filledIn(form, values))
  }
  return (
    <form
      className="stack-3"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {bar === 'own_run' ? (
        <p className={styles.bar}>{t.ownRun}</p>
      ) : (
        <FormFields
          form={form}
          values={values}
          faults={{
            ...(isTried ? Object.fromEntries(missing.map((key) => [key, t.missing])) : {}),
            ...faultsOf(approve.error),
          }}
          onChange={(next) => setText(JSON.stringify(next))}
        />
      )}
      {approve.error === null ? null : <ErrorState error={approve.error} title={t.notAnswered} />}
      <div className={styles.buttons}>
        {bar === null ? (
          <Button type="submit" look="primary" disabled={approve.isPending}>
            <Check size={16} aria-hidden="true" />
            {t.approve}
          </Button>
        ) : null}
        <Button onClick={() => setRejecting(true)}>
          <X size={16} aria-hidden="true" />
          {t.reject}
        </Button>
      </div>
      <RejectDialog
        isOpen={isRejecting}
        onClose={() => setRejecting(false)}
        error={reject.error}
        isBusy={reject.isPending}
        reason={reason}
        onReason={setReason}
        onReject={() => reject.mutate(reason)}
      />
    </form>
  )
}

const faultsOf = (error: Error | null): Readonly<Record<string, string>> =>
  error instanceof ApiError
    ? Object.fromEntries(error.details.map(({ path, message }) => [fieldOfPath(path), message]))
    : {}

const useAnswer = ({
  runId,
  step,
  onDone,
}: Readonly<{ runId: string; step: string; onDone: () => void }>) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const after = async (title: string): Promise<void> => {
    onDone()
    announce({ title })
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: [ws, 'flow-run', runId] }),
      queryClient.invalidateQueries({ queryKey: [ws, 'approvals'] }),
    ])
  }
  const params = { id: runId }
  const approve = useMutation({
    mutationFn: (values: Record<string, Json>) =>
      api.post('/flow-runs/{id}/approve', { params, body: { values, step } }),
    onSuccess: (run) =>
      after(
        run.status === 'waiting_approval' && run.current_step?.key === step
          ? t.counted
          : t.approved,
      ),
  })
  const reject = useMutation({
    mutationFn: (reason: string) =>
      api.post('/flow-runs/{id}/reject', {
        params,
        body: { step, ...(reason.trim() === '' ? {} : { reason: reason.trim() }) },
      }),
    onSuccess: () => after(t.rejected),
  })
  return { approve, reject }
}

type FormFieldsProps = Readonly<{
  form: readonly FormField[]
  values: Values
  faults: Readonly<Record<string, string>>
  onChange: (values: Values) => void
}>

const FormFields = ({ form, values, faults, onChange }: FormFieldsProps) =>
  form.map((field) => (
    <SchemaInput
      key={field.key}
      field={toSchemaField(field)}
      value={values[field.key]}
      fault={faults[field.key]}
      onChange={(value) => {
        const { [field.key]: _, ...others } = values
        onChange(value === undefined ? others : { ...others, [field.key]: value })
      }}
    />
  ))

const MOST_REASON = 1_000

const RejectDialog = ({
  isOpen,
  onClose,
  error,
  isBusy,
  reason,
  onReason,
  onReject,
}: Readonly<{
  isOpen: boolean
  onClose: () => void
  error: Error | null
  isBusy: boolean
  reason: string
  onReason: (text: string) => void
  onReject: () => void
}>) => {
  const t = useMessages(messages)
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={t.rejectTitle}
      foot={
        <Button look="danger" disabled={isBusy} onClick={onReject}>
          {t.reject}
        </Button>
      }
    >
      <div className="stack-3">
        <p>{t.rejectText}</p>
        {error === null ? null : <ErrorState error={error} title={t.notAnswered} />}
        <Field label={t.reason} hint={t.reasonHint}>
          {(control) => (
            <textarea
              {...control}
              maxLength={MOST_REASON}
              value={reason}
              onChange={(event) => onReason(event.target.value)}
            />
          )}
        </Field>
      </div>
    </Dialog>
  )
}
