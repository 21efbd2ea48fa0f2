/** Buttons, and links that look like them. */
import { createLink } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import styles from './button.module.css'

export type ButtonLook = 'normal' | 'primary' | 'danger' | 'quiet'

const LOOKS: Readonly<Record<ButtonLook, string | undefined>> = {
  normal: undefined,
  primary: styles.primary,
  danger: styles.danger,
  quiet: styles.quiet,
}

export const buttonClass = (look: ButtonLook = 'normal', isIcon = false): string =>
  [styles.button, LOOKS[look], isIcon ? styles.icon : undefined].filter(Boolean).join(' ')

export type ButtonProps = ComponentProps<'button'> & Readonly<{ look?: ButtonLook }>

export const Button = ({ look, type = 'button', className, ...rest }: ButtonProps) => (
  <button {...rest} type={type} className={`${buttonClass(look)} ${className ?? ''}`} />
)

export type IconButtonProps = Omit<ButtonProps, 'children' | 'aria-label'> &
  Readonly<{
    /** Read by screen readers and shown on hover. */
    label: string
    icon: ReactNode
  }>

export const IconButton = ({ label, icon, look = 'quiet', ...rest }: IconButtonProps) => (
  <button
    type="button"
    title={label}
    {...rest}
    aria-label={label}
    className={buttonClass(look, true)}
  >
    {icon}
  </button>
)

const PlainButtonLink = ({
  look,
  ...rest
}: ComponentProps<'a'> & Readonly<{ look?: ButtonLook }>) => (
  <a {...rest} className={buttonClass(look)} />
)

/** A link to a page of the console. Takes the same properties as the router's Link. */
export const ButtonLink = createLink(PlainButtonLink)
