/** Tabs; which one is open belongs to the caller, mostly to the address. */
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
  /** What is open fills the page and scrolls by itself, as a long table does. @default false */
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
    // an address may name a tab that is not there
    value={(items.find(({ name }) => name === open) ?? items[0])?.name}
    onValueChange={(value: Name) => onOpen(value)}
  >
    <Base.List className={styles.list} aria-label={label}>
      {items.map((item) => (
        <Base.Tab
          key={item.name}
          value={item.name}
          className={styles.tab}
          // chosen where it was open by itself, it stays open when something else would be
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
