export default () => "The shop";
