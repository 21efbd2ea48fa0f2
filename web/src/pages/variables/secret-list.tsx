/** The common part of variables and resources: a key, who set it last, and actions to replace or delete it. */

import { useQuery } from '@tanstack/react-query'
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Loaded } from '../../kit/detail-page.tsx'
import { usePaletteCommand } from '../../kit/palette-commands.ts'
import { useMessages } from '../../language/messages.ts'
import { useWorkspace } from '../../session/api.ts'
import { useMay } from '../../session/session.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/notice.tsx'
import { useLongRows } from '../../ui/table/long-rows.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import styles from './list.module.css'
import { messages } from './messages.ts'
import { RemoveSecret } from './remove-secret.tsx'
import type { SecretFormProps } from './secret-form.tsx'

const EVERY_MS = 10_000

type Secret = Readonly<{ key: string; updated_by: string; updated_at: string }>

export type SecretColumn<Item> = Readonly<{
  header: string
  cell: (item: Item) => ReactNode
  isWideOnly?: boolean
}>

type SecretListProps<Item> = Readonly<{
  what: 'variable' | 'resource'
  read: (signal: AbortSignal) => Promise<Readonly<{ items: readonly Item[] }>>
  /** The label of the button. */
  add: string
  none: Readonly<{ title: string; text: string; command: string }>
  /** Columns between the key and the person who set it. */
  columns: readonly SecretColumn<Item>[]
  form: (props: SecretFormProps<Item>) => ReactNode
}>

type Opened<Item> = Readonly<
  { action: 'set'; item: Item | null } | { action: 'remove'; item: Item }
>

export const SecretList = <Item extends Secret>(props: SecretListProps<Item>) => {
  const { what, read, add, none, columns, form } = props
  const ws = useWorkspace()
  const may = useMay()(`${what}s:write`)
  const [opened, setOpened] = useState<Opened<Item> | null>(null)
  const query = useQuery({
    queryKey: [ws, `${what}s`],
    queryFn: ({ signal }) => read(signal),
    refetchInterval: EVERY_MS,
  })
  const open = (): void => setOpened({ action: 'set', item: null })
  usePaletteCommand(may ? add : null, open)
  const onClose = (): void => setOpened(null)
  const button = may ? (
    <Button onClick={open}>
      <Plus size={15} aria-hidden="true" />
      {add}
    </Button>
  ) : null
  return (
    <Loaded query={query}>
      {({ items }) => (
        <div className="stack-3">
          {items.length === 0 ? (
            <EmptyState {...none}>{button}</EmptyState>
          ) : (
            <>
              {button === null ? null : <div className={styles.head}>{button}</div>}
              <SecretTable items={items} columns={columns} onOpen={may ? setOpened : null} />
            </>
          )}
          {opened?.action === 'set' ? form({ known: opened.item, items, onClose }) : null}
          {opened?.action === 'remove' ? (
            <RemoveSecret what={what} item={opened.item} onClose={onClose} />
          ) : null}
        </div>
      )}
    </Loaded>
  )
}

type SecretTableProps<Item> = Readonly<{
  items: readonly Item[]
  columns: readonly SecretColumn<Item>[]
  /** Null if the reader may not change it. */
  onOpen: ((opened: Opened<Item>) => void) | null
}>

const SecretTable = <Item extends Secret>({ items, columns, onOpen }: SecretTableProps<Item>) => {
  const t = useMessages(messages)
  const all: readonly SecretColumn<Item>[] = [
    ...columns,
    { header: t.by, isWideOnly: true, cell: (item) => <Quiet>{item.updated_by}</Quiet> },
    {
      header: t.at,
      cell: (item) => (
        <Quiet>
          <TimeAgo at={item.updated_at} />
        </Quiet>
      ),
    },
  ]
  const { shown, filter, foot } = useLongRows(items, t.key, ({ key }) => key)
  return (
    <>
      {filter}
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t.key}</th>
            {all.map(({ header, isWideOnly = false }) => (
              <th key={header} scope="col" className={isWideOnly ? styles.wide : undefined}>
                {header}
              </th>
            ))}
            {onOpen === null ? null : <td className={styles.actions} />}
          </tr>
        </thead>
        <tbody>
          {shown.map((item) => (
            <tr key={item.key}>
              <td className={styles.key}>
                <code>{item.key}</code>
              </td>
              {all.map(({ header, cell, isWideOnly = false }) => (
                <td key={header} className={isWideOnly ? styles.wide : undefined}>
                  {cell(item)}
                </td>
              ))}
              {onOpen === null ? null : (
                <td className={styles.actions}>
                  <IconButton
                    label={`${t.replace}: ${item.key}`}
                    icon={<Pencil size={15} />}
                    onClick={() => onOpen({ action: 'set', item })}
                  />
                  <IconButton
                    label={`${t.delete}: ${item.key}`}
                    icon={<Trash2 size={15} />}
                    onClick={() => onOpen({ action: 'remove', item })}
                  />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {foot}
    </>
  )
}

const Quiet = ({ children }: Readonly<{ children: ReactNode }>) => (
  <span className="quiet">{children}</span>
)
