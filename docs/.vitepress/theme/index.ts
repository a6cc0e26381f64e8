import DefaultTheme from "vitepress/theme";
import "./home.css";
import "./style.css";

export default DefaultTheme;
