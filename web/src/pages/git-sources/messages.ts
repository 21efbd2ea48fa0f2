import { defineMessages } from '../../language/messages.ts'

export const messages = defineMessages({
  repository: { en: 'Repository', ko: '저장소' },
  auto: { en: 'Auto-sync', ko: '자동 동기화' },
  state: { en: 'Last sync', ko: '마지막 동기화' },
  synced: { en: 'Synced', ko: '동기화됨' },
  failing: { en: 'Failing', ko: '실패' },
  connect: { en: 'Connect a repository', ko: '저장소 연결' },
  none: { en: 'No git sources yet', ko: '아직 Git 소스가 없습니다' },
  noneText: {
    en: 'A git source connects a repository. A sync deploys every app in it and pins the commit on every job.',
    ko: 'Git 소스는 저장소 하나를 가리킵니다. 동기화하면 저장소 안의 모든 앱이 배포되고 모든 작업에 커밋이 고정됩니다.',
  },
  noneReader: {
    en: 'No repository is connected yet. A workspace admin can connect one.',
    ko: '연결된 저장소가 없습니다. 워크스페이스 관리자가 연결할 수 있습니다.',
  },
  // page
  sync: { en: 'Sync now', ko: '지금 동기화' },
  syncing: { en: 'Syncing …', ko: '동기화 중 …' },
  syncFailed: { en: 'Sync failed', ko: '동기화하지 못했습니다' },
  syncedApps: {
    en: (n: number) => (n === 1 ? 'Synced: 1 app' : `Synced: ${n} apps`),
    ko: (n: number) => `동기화 완료: 앱 ${n}개`,
  },
  seeFaults: {
    en: 'Sync now to see every problem with its file and line.',
    ko: '지금 동기화하면 모든 문제를 파일과 줄 번호와 함께 볼 수 있습니다.',
  },
  noApps: { en: 'The repository has no app in this folder.', ko: '이 위치에 앱이 없습니다.' },
  deleteTitle: {
    en: (name: string) => `Delete ${name}?`,
    ko: (name: string) => `${name} 소스를 삭제할까요?`,
  },
  deleteText: {
    en: 'Its apps stay deployed but no longer sync. Its credentials are erased.',
    ko: '이 소스에서 배포한 앱은 그대로 남고 더 이상 동기화되지 않습니다. 인증 정보는 지워집니다.',
  },
  deleted: { en: 'Git source deleted', ko: 'Git 소스를 삭제했습니다' },
  notDeleted: { en: 'Could not delete the git source', ko: 'Git 소스를 삭제하지 못했습니다' },
  apps: { en: 'Apps from this source', ko: '이 소스의 앱' },
  appsNone: {
    en: 'None yet. Sync to deploy the apps in the repository.',
    ko: '아직 없습니다. 동기화하면 저장소의 앱이 배포됩니다.',
  },
  by: { en: 'Connected by', ko: '연결한 사람' },
})

export const formMessages = defineMessages({
  newTitle: { en: 'Connect a git repository', ko: 'Git 저장소 연결' },
  editTitle: { en: (name: string) => `Edit ${name}`, ko: (name: string) => `${name} 수정` },
  urlHint: {
    en: 'https://, ssh://, git:// or git@host:path. A path on the server only where SVC_GIT_LOCAL_ROOTS allows it.',
    ko: 'https://, ssh://, git:// 또는 git@host:path. 서버의 로컬 경로는 SVC_GIT_LOCAL_ROOTS에서 허용한 경우에만 쓸 수 있습니다.',
  },
  auth: { en: 'Credentials', ko: '인증 정보' },
  authKeep: { en: 'Keep stored credentials', ko: '저장된 인증 정보 유지' },
  authNone: { en: 'None (public repository)', ko: '없음(공개 저장소)' },
  authToken: { en: 'Access token', ko: '액세스 토큰' },
  authKey: { en: 'SSH key', ko: 'SSH 키' },
  urlChanged: {
    en: 'Stored credentials are not kept for a new address. Enter them again.',
    ko: '주소를 바꾸면 저장된 인증 정보를 유지할 수 없습니다. 다시 입력하세요.',
  },
  token: { en: 'Token', ko: '토큰' },
  tokenHint: {
    en: 'Stored encrypted and never shown again. Read access is enough.',
    ko: '암호화해 저장하며 다시 표시하지 않습니다. 읽기 권한이면 충분합니다.',
  },
  username: { en: 'User name', ko: '사용자 이름' },
  usernameHint: { en: 'Only if the host asks for one.', ko: '호스트가 요구할 때만 입력하세요.' },
  privateKey: { en: 'Private key', ko: '개인 키' },
  privateKeyHint: {
    en: 'Use a dedicated deploy key without a passphrase. Stored encrypted and never shown again.',
    ko: '암호 구문이 없는 전용 배포 키를 쓰세요. 암호화해 저장하며 다시 표시하지 않습니다.',
  },
  knownHosts: { en: 'Known hosts', ko: '알려진 호스트' },
  knownHostsHint: {
    en: 'Output of ssh-keyscan. Leave empty to trust the first host key seen.',
    ko: 'ssh-keyscan 출력. 비워 두면 처음 확인한 호스트 키를 신뢰합니다.',
  },
  probe: { en: 'Test connection', ko: '연결 확인' },
  reachable: {
    en: (n: number) => (n === 1 ? 'Connected: 1 branch.' : `Connected: ${n} branches.`),
    ko: (n: number) => `저장소에 연결했습니다. 브랜치 ${n}개.`,
  },
  unreachable: { en: 'Could not reach the repository', ko: '저장소가 응답하지 않습니다' },
  branchHint: {
    en: 'Leave empty to use the default branch.',
    ko: '비워 두면 저장소의 기본 브랜치를 씁니다.',
  },
  path: { en: 'Folder', ko: '폴더' },
  pathHint: {
    en: 'The folder with app.yaml. Leave empty to use the root or each of its folders.',
    ko: 'app.yaml이 있는 폴더. 비워 두면 루트 또는 루트의 각 폴더입니다.',
  },
  auto: { en: 'Automatic sync', ko: '자동 동기화' },
  autoOff: { en: 'Off (manual only)', ko: '끄기(요청할 때만)' },
  every: { en: (time: string) => `Every ${time}`, ko: (time: string) => `${time}마다` },
  connect: { en: 'Connect', ko: '연결' },
  notSaved: { en: 'Could not save the git source', ko: 'Git 소스를 저장하지 못했습니다' },
  saved: { en: 'Git source saved', ko: 'Git 소스를 저장했습니다' },
})
