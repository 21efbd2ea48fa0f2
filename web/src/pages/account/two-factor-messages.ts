import { defineMessages, plural } from '../../language/messages.ts'

export const messages = defineMessages({
  about: {
    en: 'When it is on, signing in with your password also requires a code from an authenticator app. Single sign-on does not change.',
    ko: '켜면 비밀번호로 로그인할 때 인증 앱의 코드도 필요합니다. 통합 로그인(SSO)은 그대로입니다.',
  },
  atProvider: {
    en: 'You sign in through your provider and have no password here. Turn on two-factor sign-in at the provider.',
    ko: '통합 로그인(SSO)으로 로그인하며 여기에는 비밀번호가 없습니다. 2단계 인증은 로그인 제공자에서 켜세요.',
  },
  password: { en: 'Your password', ko: '현재 비밀번호' },
  setUp: { en: 'Set up', ko: '설정하기' },
  scan: { en: 'Scan this with your authenticator app.', ko: '인증 앱으로 스캔하세요.' },
  qrCode: { en: 'QR code for your authenticator app', ko: '인증 앱용 QR 코드' },
  orType: { en: 'Or type this key:', ko: '직접 입력하려면:' },
  codeHint: {
    en: 'The six digits that the app shows now.',
    ko: '앱에 지금 표시되는 6자리 숫자입니다.',
  },
  turnOn: { en: 'Turn on', ko: '켜기' },
  recoveryCodes: { en: 'Recovery codes', ko: '복구 코드' },
  recoveryText: {
    en: 'Each code signs you in once, in place of a code from the app. Keep them where you can find them without your phone.',
    ko: '인증 앱 대신 한 번씩 쓸 수 있습니다. 휴대폰이 없어도 찾을 수 있는 곳에 보관하세요.',
  },
  isOn: {
    en: (n: number) =>
      `Two-factor sign-in is on. ${n} recovery ${plural(n, 'code is', 'codes are')} left.`,
    ko: (n: number) => `2단계 인증이 켜져 있습니다. 남은 복구 코드: ${n}개`,
  },
  offHint: {
    en: 'A code from the app, or a recovery code.',
    ko: '앱의 코드나 복구 코드를 입력하세요.',
  },
  turnOff: { en: 'Turn off', ko: '끄기' },
  turnedOff: { en: 'Two-factor sign-in is off', ko: '2단계 인증을 껐습니다' },
})
