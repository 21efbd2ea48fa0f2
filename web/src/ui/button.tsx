/** Buttons, and links that look like them. */
import { createLink } from '@tanstack/react-router'
import { type ComponentProps, type FocusEvent, type ReactNode, useEffect, useRef } from 'react'
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

/**
 * A browser takes the focus from a button that is disabled, for example while its form is sent. The button takes it back
 * when it is enabled again, so that a person without a mouse continues there.
 */
const useKeptFocus = (isDisabled: boolean) => {
  const button = useRef<HTMLButtonElement>(null)
  const hadFocus = useRef(false)
  useEffect(() => {
    if (isDisabled || !hadFocus.current) return
    if (document.activeElement === document.body) button.current?.focus({ preventScroll: true })
  }, [isDisabled])
  return {
    ref: button,
    onFocus: (): void => {
      hadFocus.current = true
    },
    onBlur: ({ currentTarget }: FocusEvent<HTMLButtonElement>): void => {
      if (!currentTarget.disabled) hadFocus.current = false
    },
  }
}

export const Button = ({ look, type = 'button', className, ...rest }: ButtonProps) => (
  <button
    {...useKeptFocus(rest.disabled === true)}
    {...rest}
    type={type}
    className={`${buttonClass(look)} ${className ?? ''}`}
  />
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
