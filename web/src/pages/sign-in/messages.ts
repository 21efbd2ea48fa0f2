import { defineMessages } from '../../language/messages.ts'

export const messages = defineMessages({
  title: { en: 'Sign in', ko: '로그인' },
  ended: {
    en: 'Your session has ended. Sign in to continue where you were.',
    ko: '세션이 끝났습니다. 다시 로그인하면 보던 화면으로 돌아갑니다.',
  },
  password: { en: 'Password', ko: '비밀번호' },
  codeHint: {
    en: 'From your authenticator app, or a recovery code.',
    ko: '인증 앱의 코드나 복구 코드를 입력하세요.',
  },
  byProvider: { en: 'Sign in with single sign-on', ko: '통합 로그인(SSO)' },
  signIn: { en: 'Sign in', ko: '로그인' },
  first: { en: 'New server?', ko: '새 서버인가요?' },
  firstText: {
    en: 'The first start creates an administrator, admin@localhost by default. The password is printed once and stored in the data directory:',
    ko: '서버를 처음 시작할 때 관리자 계정이 만들어집니다. 따로 정하지 않았다면 admin@localhost이며, 비밀번호는 한 번 출력되고 데이터 디렉터리에도 저장됩니다.',
  },
  noAccount: {
    en: 'No account? Ask a workspace admin for an invite.',
    ko: '계정이 없나요? 워크스페이스 관리자에게 초대를 요청하세요.',
  },
})
