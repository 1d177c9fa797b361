// Windows that are not the Lab, fetched together: each file is one more that the copy for times without a network names.
export { showAudience } from './audience';
export { showHandout } from './handout';
