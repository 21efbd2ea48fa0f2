/** The files of a draft by folder, with buttons to add, rename and delete. */
import { FilePlus, Folder, Pencil, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import type { Files } from '../../../draft/starter-files.ts'
import { useMessages } from '../../../language/messages.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/form/field.tsx'
import { FormColumn } from '../../../ui/form/form-column.tsx'
import type { Edits } from '../draft-edits.ts'
import { type TreeRow, toTree } from '../file-tree.ts'
import { messages } from './messages.ts'
import styles from './page.module.css'

type FileTreeProps = Readonly<{
  files: Files
  edits: Edits
  open: string | undefined
  onOpen: (path: string | undefined) => void
  mayWrite: boolean
  onChange: (changes: Edits) => void
  onRename: (from: string, to: string) => void
}>

declare module 'react' {
  interface CSSProperties {
    '--depth'?: number
  }
}

export const FileTree = (props: FileTreeProps) => {
  const { files, edits, open, onOpen, mayWrite, onChange, onRename } = props
  const t = useMessages(messages)
  const id = useId()
  const [dialog, setDialog] = useState<'new' | 'rename' | null>(null)
  const paths = Object.keys(files)
  const accept = (path: string): void => {
    if (dialog === 'rename' && open !== undefined) onRename(open, path)
    else onChange({ [path]: '' })
    setDialog(null)
    onOpen(path)
  }
  return (
    <nav className={styles.tree} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id}>{t.files}</h2>
        {mayWrite ? (
          <span className={styles.tools}>
            <IconButton
              label={t.newFile}
              icon={<FilePlus size={15} />}
              onClick={() => setDialog('new')}
            />
            <IconButton
              label={`${t.rename}: ${open ?? ''}`}
              icon={<Pencil size={15} />}
              disabled={open === undefined}
              onClick={() => setDialog('rename')}
            />
            <IconButton
              label={`${t.delete}: ${open ?? ''}`}
              icon={<Trash2 size={15} />}
              disabled={open === undefined}
              // one button undoes it until the draft is saved
              onClick={() => (open === undefined ? undefined : onChange({ [open]: null }))}
            />
          </span>
        ) : null}
      </div>
      <ul className={styles.rows}>
        {toTree(paths).map((row) => (
          <li key={row.key}>
            <Row row={row} isOpen={row.path === open} isEdited={row.key in edits} onOpen={onOpen} />
          </li>
        ))}
      </ul>
      {dialog === null ? null : (
        <PathDialog
          title={dialog === 'new' ? t.newFile : t.rename}
          first={dialog === 'rename' ? (open ?? '') : ''}
          taken={paths}
          onAccept={accept}
          onClose={() => setDialog(null)}
        />
      )}
    </nav>
  )
}

type RowProps = Readonly<{
  row: TreeRow
  isOpen: boolean
  isEdited: boolean
  onOpen: (path: string) => void
}>

const Row = ({ row: { depth, name, path }, isOpen, isEdited, onOpen }: RowProps) => {
  const t = useMessages(messages)
  const style = { '--depth': depth }
  if (path === null) {
    return (
      <span className={`${styles.row} quiet`} style={style}>
        <Folder size={14} aria-hidden="true" />
        {name}
      </span>
    )
  }
  return (
    <button
      type="button"
      className={styles.row}
      style={style}
      title={path}
      aria-current={isOpen ? 'true' : undefined}
      onClick={() => onOpen(path)}
    >
      {name}
      {isEdited ? <i role="img" title={t.edited} aria-label={t.edited} /> : null}
    </button>
  )
}

type PathDialogProps = Readonly<{
  title: string
  first: string
  taken: readonly string[]
  onAccept: (path: string) => void
  onClose: () => void
}>

const PathDialog = ({ title, first, taken, onAccept, onClose }: PathDialogProps) => {
  const t = useMessages(messages)
  const form = useId()
  const [path, setPath] = useState(first)
  const clean = path.trim().replace(/^(\.?\/)+/, '')
  const isTaken = clean !== first && taken.includes(clean)
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      foot={
        <Button
          type="submit"
          form={form}
          look="primary"
          disabled={clean === '' || clean === first || isTaken}
        >
          {first === '' ? t.add : t.rename}
        </Button>
      }
    >
      <FormColumn
        id={form}
        onSubmit={() => {
          if (clean !== '' && clean !== first && !isTaken) onAccept(clean)
        }}
      >
        <TextField
          isExact
          label={t.path}
          hint={t.pathHint}
          fault={isTaken ? t.pathTaken : undefined}
          isRequired
          maxLength={255}
          value={path}
          onText={setPath}
        />
      </FormColumn>
    </Dialog>
  )
}
