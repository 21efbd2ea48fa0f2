/** Creates a public link, and shows its address once. */
import type { Schemas } from '#sdk/client.ts'
import { FIELD_TYPES, type FlowDefinition } from '../../../flow/definition.ts'
import {
  type FieldDraft,
  isWhole,
  missingFields,
  type NumberedField,
  newField,
  proposedFields,
  readNumberedFields,
  toFormField,
} from '../../../flow/public-form.ts'
import { useActionSchemas } from '../../../flow/start-dialog.tsx'
import { type ActionSchemas, startSchema } from '../../../flow/start-schema.ts'
import { useKeptFields } from '../../../form/use-kept-fields.ts'
import { Loaded } from '../../../kit/detail-page.tsx'
import { ActionDialog } from '../../../kit/dialog.tsx'
import { useMessages } from '../../../language/messages.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { Button } from '../../../ui/button.tsx'
import { CommandLine } from '../../../ui/command-line.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { CheckField, Field, SelectField, TextField } from '../../../ui/form/field.tsx'
import styles from './links.module.css'
import { messages } from './messages.ts'

export type NewLinkDialogProps = Readonly<{
  flow: Schemas['Flow']
  definition: FlowDefinition
  onClose: () => void
}>

export const NewLinkDialog = (props: NewLinkDialogProps) => {
  const t = useMessages(messages)
  const schemas = useActionSchemas(props.flow.app)
  if (schemas.data === undefined) {
    return (
      <Dialog isOpen isWide onClose={props.onClose} title={t.newLink}>
        <Loaded query={schemas}>{() => null}</Loaded>
      </Dialog>
    )
  }
  return <LinkForm {...props} schemas={schemas.data} />
}

/** The address is not stored, so it is lost when the dialog closes. */
const MadeDialog = ({ url, onClose }: Readonly<{ url: string; onClose: () => void }>) => {
  const t = useMessages(messages)
  return (
    <Dialog
      isOpen
      isHeld
      onClose={onClose}
      title={t.made}
      foot={
        <Button look="primary" onClick={onClose}>
          {t.done}
        </Button>
      }
    >
      <div className="stack-3">
        <p>{t.shownOnce}</p>
        <CommandLine command={url} />
        <p>
          <a href={url} target="_blank" rel="noreferrer">
            {t.open}
          </a>
        </p>
      </div>
    </Dialog>
  )
}

const DEFAULT_USES = '100'
const DEFAULT_DAYS = '30'
/** The server refuses more than it allows. */
const COUNT = { type: 'number', min: 1, step: 1, isRequired: true } as const

type LinkFormProps = NewLinkDialogProps & Readonly<{ schemas: ActionSchemas }>

const LinkForm = ({ flow, definition, schemas, onClose }: LinkFormProps) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const schema = startSchema(definition, schemas)
  const [{ uses, days, rows }, set, forget] = useKeptFields(
    `new link ${ws} ${flow.app} ${flow.key}`,
    {
      uses: DEFAULT_USES,
      days: DEFAULT_DAYS,
      rows: JSON.stringify(proposedFields(schema).map((field, id) => ({ ...field, id }))),
    },
  )
  const fields = readNumberedFields(rows)
  const missing = missingFields(schema, fields)
  const setFields = (next: readonly NumberedField[]): void => set({ rows: JSON.stringify(next) })
  const create = () =>
    api.post('/flow-links/{app}/{flow}', {
      params: { app: flow.app, flow: flow.key },
      body: {
        max_uses: Number(uses),
        expires_in_days: Number(days),
        public_form: fields.map(toFormField),
      },
    })
  const change = (id: number, next: FieldDraft): void =>
    setFields(fields.map((each) => (each.id === id ? { ...next, id } : each)))
  const add = (): void => {
    const id = 1 + Math.max(-1, ...fields.map((each) => each.id))
    setFields([...fields, { ...newField(), id }])
  }
  return (
    <ActionDialog
      isWide
      onClose={onClose}
      title={t.newLink}
      send={t.create}
      run={create}
      isComplete={fields.every(isWhole)}
      touches={[[ws, 'flow-links']]}
      onDone={forget}
      failed={t.notCreated}
      result={({ url }) => <MadeDialog url={url} onClose={onClose} />}
    >
      <div className={styles.pair}>
        <TextField
          {...COUNT}
          label={t.maxUses}
          value={uses}
          onText={(text) => set({ uses: text })}
        />
        <TextField {...COUNT} label={t.days} value={days} onText={(text) => set({ days: text })} />
      </div>
      <h3>{t.formTitle}</h3>
      <p className="quiet">{t.formNote}</p>
      {fields.map((field, at) => (
        <FieldRow
          key={field.id}
          name={t.field(at + 1)}
          field={field}
          onChange={(next) => change(field.id, next)}
          onRemove={() => setFields(fields.filter(({ id }) => id !== field.id))}
        />
      ))}
      <div>
        <Button onClick={add}>{t.addField}</Button>
      </div>
      <div role="status">
        {missing.length === 0 ? null : <p className="warn">{t.missing(missing.join(', '))}</p>}
      </div>
    </ActionDialog>
  )
}

type FieldRowProps = Readonly<{
  name: string
  field: FieldDraft
  onChange: (field: FieldDraft) => void
  onRemove: () => void
}>

const FieldRow = ({ name, field, onChange, onRemove }: FieldRowProps) => {
  const t = useMessages(messages)
  return (
    <fieldset className={styles.field}>
      <legend>{name}</legend>
      <div className={styles.pair}>
        <TextField
          label={t.key}
          isRequired
          value={field.key}
          onText={(text) => onChange({ ...field, key: text })}
        />
        <TextField
          label={t.label}
          value={field.label}
          onText={(text) => onChange({ ...field, label: text })}
        />
        <SelectField
          label={t.type}
          value={field.type}
          onChange={(value) => {
            const type = FIELD_TYPES.find((known) => known === value)
            if (type !== undefined) onChange({ ...field, type })
          }}
          options={FIELD_TYPES.map((value) => ({ value, label: t.types(value) }))}
        />
      </div>
      {field.type === 'select' ? (
        <Field label={t.options} isRequired>
          {(control) => (
            <textarea
              {...control}
              value={field.options}
              onChange={(event) => onChange({ ...field, options: event.target.value })}
            />
          )}
        </Field>
      ) : null}
      <div className={styles.end}>
        <CheckField
          label={t.required}
          checked={field.required}
          onChange={(event) => onChange({ ...field, required: event.target.checked })}
        />
        <Button look="quiet" onClick={onRemove}>
          {t.removeField}
        </Button>
      </div>
    </fieldset>
  )
}
