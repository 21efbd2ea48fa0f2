/** Tabs. The caller decides which one is open, usually by the address. */
import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'
import styles from './tabs.module.css'

export type TabItem<Name extends string> = Readonly<{
  name: Name
  label: ReactNode
  content: ReactNode
}>

export type TabsProps<Name extends string> = Readonly<{
  label: string
  open: Name
  onOpen: (name: Name) => void
  items: readonly TabItem<Name>[]
  /** Whether the open tab fills the page and scrolls inside, such as a long table. @default false */
  isFilled?: boolean
}>

export const Tabs = <Name extends string>({
  label,
  open,
  onOpen,
  items,
  isFilled = false,
}: TabsProps<Name>) => (
  <Base.Root
    className={isFilled ? styles.filled : undefined}
    // an address may name a tab that does not exist
    value={(items.find(({ name }) => name === open) ?? items[0])?.name}
    onValueChange={(value: Name) => onOpen(value)}
  >
    <Base.List className={styles.list} aria-label={label}>
      {items.map((item) => (
        <Base.Tab
          key={item.name}
          value={item.name}
          className={styles.tab}
          // clicking the default tab makes it the person's choice, so that it stays open
          onClick={() => (item.name === open ? onOpen(item.name) : undefined)}
        >
          {item.label}
        </Base.Tab>
      ))}
    </Base.List>
    {items.map((item) => (
      <Base.Panel key={item.name} value={item.name} className={styles.panel}>
        {item.content}
      </Base.Panel>
    ))}
  </Base.Root>
)
