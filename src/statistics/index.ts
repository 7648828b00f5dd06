/** Statistics that `simple-statistics` lacks, or has without tied ranks or with too few digits. */

export { agreement, correlationProbability, rankCorrelation } from './correlation.js';
export { pairedProbability, rankProbability, shift } from './rank-tests.js';
export { ranks } from './ranks.js';
